/** The boot key store. */
package palyra.keys.internal;
