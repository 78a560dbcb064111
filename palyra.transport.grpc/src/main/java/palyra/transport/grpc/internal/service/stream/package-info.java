/** Long streams: following runs through swaps, as fast as the client reads. */
package palyra.transport.grpc.internal.service.stream;
