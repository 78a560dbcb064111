package palyra.transport.grpc.internal.service;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.transport.grpc.internal.wire.gateway.ReadTapeRequest;
import palyra.transport.grpc.internal.wire.gateway.TapeRecord;

/** The client's side of a {@code ReadTape}. Thread-safe. */
final class TapeReading implements ClientResponseObserver<ReadTapeRequest, TapeRecord> {
    private final int reading;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<TapeRecord> records = new ArrayList<>(); // guarded by this
    private volatile Throwable failure;
    private ClientCallStreamObserver<ReadTapeRequest> call;

    private TapeReading(int reading) {
        this.reading = reading;
    }

    static ReadTapeRequest.Builder request(String runId) {
        return ReadTapeRequest.newBuilder().setV(1).setRunId(ApiMapper.id(runId));
    }

    static TapeReading of(Client client, String runId) {
        return of(client, request(runId));
    }

    static TapeReading of(Client client, ReadTapeRequest.Builder request) {
        TapeReading reading = new TapeReading(Integer.MAX_VALUE);
        client.async().readTape(request.build(), reading);
        return reading;
    }

    /** Reads one record only. */
    static TapeReading slow(Client client, String runId) {
        TapeReading reading = new TapeReading(1);
        client.async().readTape(request(runId).build(), reading);
        return reading;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ReadTapeRequest> started) {
        call = started;
        if (reading != Integer.MAX_VALUE) {
            started.disableAutoRequestWithInitial(reading);
        }
    }

    void read(int more) {
        call.request(more);
    }

    void cancel() {
        call.cancel("the test has seen enough", null);
    }

    @Override
    public synchronized void onNext(TapeRecord record) {
        records.add(record);
    }

    @Override
    public void onError(Throwable t) {
        failure = t;
        over.countDown();
    }

    @Override
    public void onCompleted() {
        over.countDown();
    }

    synchronized List<TapeRecord> records() {
        return List.copyOf(records);
    }

    TapeReading awaitCompleted() {
        awaitOver();
        if (failure != null) {
            throw new AssertionError("reading the tape failed", failure);
        }
        return this;
    }

    StatusRuntimeException awaitFailed() {
        awaitOver();
        if (failure == null) {
            throw new AssertionError("reading the tape went well");
        }
        return (StatusRuntimeException) failure;
    }

    private void awaitOver() {
        try {
            if (!over.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the tape did not end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
