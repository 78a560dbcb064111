/**
 * Job objects of Windows as a sandbox of Tier B: quotas for a whole tree of processes and a kill
 * that misses none, but no isolation. Used only where a policy accepts that. Verified against the
 * layouts of the SDK and a fake of the functions; not run on hardware.
 */
package palyra.sandbox.tierc.windows.internal;
