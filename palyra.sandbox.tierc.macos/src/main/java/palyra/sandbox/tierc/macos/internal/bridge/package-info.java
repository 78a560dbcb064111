/** Leads a command's TCP connections to its own egress proxy. */
package palyra.sandbox.tierc.macos.internal.bridge;
