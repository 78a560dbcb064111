/** Server-sent events, as the WHATWG specifies them. */
package palyra.shared.sse;
