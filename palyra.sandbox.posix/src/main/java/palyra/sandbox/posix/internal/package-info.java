/** See the bundle's description. */
package palyra.sandbox.posix.internal;
