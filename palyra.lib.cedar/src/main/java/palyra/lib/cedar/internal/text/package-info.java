/** Reading texts before native code does: encoding, tokens, pieces, limits, places. */
package palyra.lib.cedar.internal.text;
