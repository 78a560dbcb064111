/** Traces of messages from the journal, and their way to a collector of OpenTelemetry. */
package palyra.tracing.internal;
