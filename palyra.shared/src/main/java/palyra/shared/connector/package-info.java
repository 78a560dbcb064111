/** What connectors to chat platforms have in common. */
package palyra.shared.connector;
