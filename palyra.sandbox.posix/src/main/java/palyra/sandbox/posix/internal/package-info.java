/** The service: what this host has, launches, findings and metrics. */
package palyra.sandbox.posix.internal;
