/** Takes messages of connectors in: decided, stored, and known when they come again. */
package palyra.channels.internal.inbound;
