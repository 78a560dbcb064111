/** The frame protocol of the command socket, for its server and its client. */
package palyra.shared.socket;
