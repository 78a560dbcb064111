/** See the bundle's description. */
package palyra.sandbox.tierc.windows.internal;
