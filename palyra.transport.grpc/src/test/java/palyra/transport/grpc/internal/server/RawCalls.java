package palyra.transport.grpc.internal.server;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Sends bytes that no well-behaved client would send. */
final class RawCalls {
    private RawCalls() {}

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Calls with one message, and returns how the call ended. */
    static StatusRuntimeException end(
            ManagedChannel channel,
            MethodDescriptor<?, ?> method,
            Metadata metadata,
            byte[] message) {
        MethodDescriptor<byte[], byte[]> raw =
                MethodDescriptor.<byte[], byte[]>newBuilder()
                        .setType(method.getType())
                        .setFullMethodName(method.getFullMethodName())
                        .setRequestMarshaller(new Bytes())
                        .setResponseMarshaller(new Bytes())
                        .build();
        CompletableFuture<StatusRuntimeException> end = new CompletableFuture<>();
        ClientCall<byte[], byte[]> call = channel.newCall(raw, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status.asRuntimeException(trailers));
                    }
                },
                metadata);
        call.request(1);
        call.sendMessage(message);
        if (method.getType().clientSendsOneMessage()) {
            call.halfClose();
        }
        try {
            return end.get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException
                | ExecutionException
                | java.util.concurrent.TimeoutException e) {
            throw new AssertionError("the call did not end", e);
        }
    }
}
