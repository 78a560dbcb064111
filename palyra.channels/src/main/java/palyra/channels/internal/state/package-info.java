/** Shows by reactions what became of messages. */
package palyra.channels.internal.state;
