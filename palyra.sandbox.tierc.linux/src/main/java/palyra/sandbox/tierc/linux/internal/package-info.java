/** Tier C on Linux: processes in namespaces of their own, made by bubblewrap. */
package palyra.sandbox.tierc.linux.internal;
