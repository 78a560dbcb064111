/** The gRPC server: addresses, TLS, authentication, errors, bounds. */
package palyra.transport.grpc.internal.server;
