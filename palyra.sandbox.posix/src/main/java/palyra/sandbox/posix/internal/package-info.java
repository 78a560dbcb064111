/** The launcher service: host facts, launches, findings and metrics. */
package palyra.sandbox.posix.internal;
