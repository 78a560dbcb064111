/** The rpcs of {@code palyra.gateway.v1.GatewayService}: checks, calls, and translations. */
package palyra.transport.grpc.internal.service;
