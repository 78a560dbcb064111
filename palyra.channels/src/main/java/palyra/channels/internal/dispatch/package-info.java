/** Sends what is in the outbox: each conversation in order, and each message once. */
package palyra.channels.internal.dispatch;
