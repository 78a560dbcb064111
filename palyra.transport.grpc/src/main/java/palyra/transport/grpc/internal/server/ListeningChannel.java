package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;

/** A listening socket on NIO with a handler that sees connections before gRPC does. */
final class ListeningChannel extends NioServerSocketChannel {
    ListeningChannel(ChannelHandler first) {
        pipeline().addFirst(first);
    }
}
