package palyra.gateway.internal.approval;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ApprovalMeterTest {
    private static double value(ApprovalMeter meter, String name, Map<String, String> labels) {
        return meter.metrics().stream()
                .filter(metric -> metric.name().equals(name) && metric.labels().equals(labels))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void countsWaitsIntoEveryBucketThatHoldsThem() {
        ApprovalMeter meter = new ApprovalMeter();
        meter.requested(3);
        meter.ended(ApprovalMeter.Outcome.GRANTED, 4_000);
        meter.ended(ApprovalMeter.Outcome.EXPIRED, 10 * 86_400_000L);
        String bucket = "palyra_approvals_waiting_seconds_bucket";
        assertEquals(0, value(meter, bucket, Map.of("le", "1")));
        assertEquals(1, value(meter, bucket, Map.of("le", "5")));
        assertEquals(1, value(meter, bucket, Map.of("le", "86400")));
        assertEquals(2, value(meter, bucket, Map.of("le", "+Inf")));
        assertEquals(2, value(meter, "palyra_approvals_waiting_seconds_count", Map.of()));
        assertEquals(864_004, value(meter, "palyra_approvals_waiting_seconds_sum", Map.of()));
        assertEquals(3, value(meter, "palyra_approvals_asked_total", Map.of()));
        assertEquals(1, value(meter, "palyra_approvals_ended_total", Map.of("outcome", "expired")));
    }
}
