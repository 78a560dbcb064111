/** Help with words that people typed. */
package palyra.shared.text;
