/** One bot of Discord per configuration, offered as a connector. */
package palyra.connectors.discord.internal;
