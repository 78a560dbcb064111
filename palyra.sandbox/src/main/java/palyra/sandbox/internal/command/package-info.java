/** The commands {@code sandbox …}. */
package palyra.sandbox.internal.command;
