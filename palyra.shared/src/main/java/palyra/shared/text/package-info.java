/** Text as people write and read it: words, suggestions, and escapes. */
package palyra.shared.text;
