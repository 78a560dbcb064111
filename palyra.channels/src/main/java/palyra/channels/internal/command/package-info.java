/** What people may tell the gateway itself in a conversation. */
package palyra.channels.internal.command;
