/** The gateway as its gRPC clients see it: load, swaps under load, tokens, idle sessions. */
package palyra.bench.grpc;
