/** See the bundle's description. */
package palyra.sandbox.tierb.internal;
