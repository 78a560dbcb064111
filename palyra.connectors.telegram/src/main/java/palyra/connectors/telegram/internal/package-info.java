/** One bot of Telegram per configuration, offered as a connector. */
package palyra.connectors.telegram.internal;
