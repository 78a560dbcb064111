/** Server-sent events, as the WHATWG specifies them. */
package palyra.models.internal.sse;
