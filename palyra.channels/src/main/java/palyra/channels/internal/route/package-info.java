/** Decides which messages of chat platforms are answered, for whom and by which agent. Pure. */
package palyra.channels.internal.route;
