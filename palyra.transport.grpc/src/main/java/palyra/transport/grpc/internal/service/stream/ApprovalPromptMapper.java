package palyra.transport.grpc.internal.service.stream;

import com.google.protobuf.ByteString;
import java.util.Locale;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.RiskLevel;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.transport.grpc.internal.wire.common.ApprovalCall;
import palyra.transport.grpc.internal.wire.common.ApprovalDecisionScope;
import palyra.transport.grpc.internal.wire.common.ApprovalGrantShape;
import palyra.transport.grpc.internal.wire.common.ApprovalPrompt;
import palyra.transport.grpc.internal.wire.common.ApprovalRiskLevel;

/** Maps approval prompts to messages. Pure functions. */
public final class ApprovalPromptMapper {
    private ApprovalPromptMapper() {}

    /** Returns what a person is shown. */
    public static ApprovalPrompt prompt(palyra.api.approval.ApprovalPrompt prompt) {
        ApprovalPrompt.Builder wire =
                ApprovalPrompt.newBuilder()
                        .setTitle(prompt.title())
                        .setRiskLevel(risk(prompt.risk()))
                        .setSubjectId(prompt.subjectId())
                        .setSummary(prompt.summary())
                        .setTimeoutSeconds(prompt.timeoutSeconds())
                        .setDetailsJson(ByteString.copyFromUtf8(prompt.detailsJson()))
                        .setPolicyExplanation(prompt.policyExplanation());
        prompt.options().forEach(option -> wire.addOptions(option(option)));
        return wire.build();
    }

    private static palyra.transport.grpc.internal.wire.common.ApprovalOption option(
            ApprovalOption option) {
        return palyra.transport.grpc.internal.wire.common.ApprovalOption.newBuilder()
                .setOptionId(option.optionId())
                .setLabel(option.label())
                .setDescription(option.description())
                .setDefaultSelected(option.defaultSelected())
                .setDecisionScope(ApprovalAnswerMapper.scope(option.scope()))
                .setTimeboxTtlMs(option.ttlMillis())
                .setGranted(option.granted())
                .setShape(ApprovalAnswerMapper.shape(option.shape()))
                .build();
    }

    private static ApprovalRiskLevel risk(RiskLevel risk) {
        return switch (risk) {
            case LOW -> ApprovalRiskLevel.APPROVAL_RISK_LEVEL_LOW;
            case MEDIUM -> ApprovalRiskLevel.APPROVAL_RISK_LEVEL_MEDIUM;
            case HIGH -> ApprovalRiskLevel.APPROVAL_RISK_LEVEL_HIGH;
            case CRITICAL -> ApprovalRiskLevel.APPROVAL_RISK_LEVEL_CRITICAL;
        };
    }

    /** Returns the same of an approval request recorded on a tape. */
    static ApprovalPrompt prompt(ApprovalRequestBody question, String detailsJson) {
        ApprovalRequestBody.Prompt prompt = question.prompt();
        ApprovalPrompt.Builder wire =
                ApprovalPrompt.newBuilder()
                        .setTitle(prompt.title())
                        .setRiskLevel(risk(prompt.risk()))
                        .setSubjectId(question.subjectId())
                        .setSummary(prompt.summary())
                        .setTimeoutSeconds(prompt.timeoutSeconds())
                        .setDetailsJson(ByteString.copyFromUtf8(detailsJson))
                        .setPolicyExplanation(prompt.explanation());
        prompt.options().forEach(option -> wire.addOptions(option(option)));
        return wire.build();
    }

    private static palyra.transport.grpc.internal.wire.common.ApprovalOption option(
            ApprovalRequestBody.Option option) {
        return palyra.transport.grpc.internal.wire.common.ApprovalOption.newBuilder()
                .setOptionId(option.optionId())
                .setLabel(option.label())
                .setDescription(option.description())
                .setDefaultSelected(option.defaultSelected())
                .setDecisionScope(scope(option.scope()))
                .setTimeboxTtlMs(option.ttlMillis())
                .setGranted(option.granted())
                .setShape(shape(option.shape()))
                .build();
    }

    /** A word that this version does not know is the highest risk. */
    private static ApprovalRiskLevel risk(String word) {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "LOW" -> ApprovalRiskLevel.APPROVAL_RISK_LEVEL_LOW;
            case "MEDIUM" -> ApprovalRiskLevel.APPROVAL_RISK_LEVEL_MEDIUM;
            case "HIGH" -> ApprovalRiskLevel.APPROVAL_RISK_LEVEL_HIGH;
            default -> ApprovalRiskLevel.APPROVAL_RISK_LEVEL_CRITICAL;
        };
    }

    /** A word that this version does not know is not said. */
    static ApprovalDecisionScope scope(String word) {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "ONCE" -> ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_ONCE;
            case "SESSION" -> ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_SESSION;
            case "TIMEBOXED" -> ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_TIMEBOXED;
            default -> ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_UNSPECIFIED;
        };
    }

    /** Likewise. */
    static ApprovalGrantShape shape(String word) {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "EXACT" -> ApprovalGrantShape.APPROVAL_GRANT_SHAPE_EXACT;
            case "PATTERN" -> ApprovalGrantShape.APPROVAL_GRANT_SHAPE_PATTERN;
            default -> ApprovalGrantShape.APPROVAL_GRANT_SHAPE_UNSPECIFIED;
        };
    }

    /** Returns what exactly would happen. */
    public static ApprovalCall call(ApprovalRequestBody question) {
        ApprovalRequestBody.Call call = question.call();
        return ApprovalCall.newBuilder()
                .setTool(call.tool())
                .setExecutable(call.executable())
                .setExecutableSha256(call.executableSha256())
                .setWorkingFolder(call.workingFolder())
                .addAllArgv(call.argv())
                .addAllHosts(call.hosts())
                .addAllSecrets(call.secrets())
                .setTier(call.tier())
                .setEgress(call.egress())
                .setOnceOnly(call.onceOnly())
                .setBindingSha256(call.bindingSha256())
                .setPattern(question.pattern() == null ? "" : question.pattern().sentence())
                .build();
    }
}
