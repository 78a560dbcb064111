/** Limits of a server's connections, and which connection is closed for a new one. */
package palyra.shared.connection;
