/** The stored form of messages on their way to chat platforms. */
package palyra.shared.channel;
