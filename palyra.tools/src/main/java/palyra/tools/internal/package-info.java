/** Tools that run inside the gateway: their executor, and the built-in ones. */
package palyra.tools.internal;
