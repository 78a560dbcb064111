/** What a call knows about who makes it, and the streams that are open. */
package palyra.transport.grpc.internal.call;
