/** What a command asks a person at a terminal. */
package palyra.shared.terminal;
