/** Suggestions for mistyped words. */
package palyra.shared.text;
