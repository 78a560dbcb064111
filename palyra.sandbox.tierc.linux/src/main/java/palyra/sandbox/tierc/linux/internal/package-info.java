/** See the bundle's description. */
package palyra.sandbox.tierc.linux.internal;
