/** Files of conversations: fetched into workspaces and sent out of them, each by a tool call. */
package palyra.channels.internal.files;
