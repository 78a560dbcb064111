/** The gateway over gRPC: the component that holds the server and its seams. */
package palyra.transport.grpc.internal;
