/** Puts approval requests to the conversations in which they arose, and takes answers there. */
package palyra.channels.internal.approval;
