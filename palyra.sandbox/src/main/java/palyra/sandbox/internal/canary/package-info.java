/** Tries to get out of each sandbox, and says which ones held. */
package palyra.sandbox.internal.canary;
