/** Which connection of a server gives way to which. */
package palyra.shared.connection;
