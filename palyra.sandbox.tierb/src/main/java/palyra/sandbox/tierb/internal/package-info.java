/** Tier B: processes confined by limits of the operating system. */
package palyra.sandbox.tierb.internal;
