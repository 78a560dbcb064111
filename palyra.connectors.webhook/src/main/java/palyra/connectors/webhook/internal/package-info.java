/** Connectors to services that call, and are called, by signed webhooks. */
package palyra.connectors.webhook.internal;
