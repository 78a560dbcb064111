/** The local command socket: frames in, commands out. */
package palyra.shell.internal.socket;
