package palyra.api 1.2.0
  ErrorCode$Kind: public static ErrorCode$Kind ErrorCode$Kind.valueOf(String)
  ErrorCode$Kind: public static ErrorCode$Kind[] ErrorCode$Kind.values()
  ErrorCode$Kind: public static final ErrorCode$Kind ErrorCode$Kind.INTERNAL
  ErrorCode$Kind: public static final ErrorCode$Kind ErrorCode$Kind.POLICY
  ErrorCode$Kind: public static final ErrorCode$Kind ErrorCode$Kind.RESOURCE
  ErrorCode$Kind: public static final ErrorCode$Kind ErrorCode$Kind.UNAVAILABLE
  ErrorCode$Kind: public static final ErrorCode$Kind ErrorCode$Kind.USER
  ErrorCode$Kind: public static final enum ErrorCode$Kind extends Enum<ErrorCode$Kind>
  ErrorCode: public ErrorCode$Kind ErrorCode.kind()
  ErrorCode: public final enum ErrorCode extends Enum<ErrorCode>
  ErrorCode: public static ErrorCode ErrorCode.valueOf(String)
  ErrorCode: public static ErrorCode[] ErrorCode.values()
  ErrorCode: public static final ErrorCode ErrorCode.ALREADY_EXISTS
  ErrorCode: public static final ErrorCode ErrorCode.CANCELLED
  ErrorCode: public static final ErrorCode ErrorCode.CONFLICT
  ErrorCode: public static final ErrorCode ErrorCode.CORRUPT
  ErrorCode: public static final ErrorCode ErrorCode.DENIED
  ErrorCode: public static final ErrorCode ErrorCode.DISK_FULL
  ErrorCode: public static final ErrorCode ErrorCode.GATEWAY_UNAVAILABLE
  ErrorCode: public static final ErrorCode ErrorCode.IDEMPOTENCY_MISMATCH
  ErrorCode: public static final ErrorCode ErrorCode.INTERNAL
  ErrorCode: public static final ErrorCode ErrorCode.INVALID_ARGUMENT
  ErrorCode: public static final ErrorCode ErrorCode.JOURNAL_UNAVAILABLE
  ErrorCode: public static final ErrorCode ErrorCode.KEYS_UNAVAILABLE
  ErrorCode: public static final ErrorCode ErrorCode.MODEL_FAILED
  ErrorCode: public static final ErrorCode ErrorCode.MODEL_UNAVAILABLE
  ErrorCode: public static final ErrorCode ErrorCode.NOT_FOUND
  ErrorCode: public static final ErrorCode ErrorCode.OUTCOME_UNKNOWN
  ErrorCode: public static final ErrorCode ErrorCode.POLICY_UNAVAILABLE
  ErrorCode: public static final ErrorCode ErrorCode.READ_ONLY
  ErrorCode: public static final ErrorCode ErrorCode.RESOURCE_EXHAUSTED
  ErrorCode: public static final ErrorCode ErrorCode.STALE_EPOCH
  ErrorCode: public static final ErrorCode ErrorCode.TIMED_OUT
  ErrorCode: public static final ErrorCode ErrorCode.TOOL_UNAVAILABLE
  ErrorCode: public static final ErrorCode ErrorCode.UNAUTHENTICATED
  PalyraException: public ErrorCode PalyraException.code()
  PalyraException: public PalyraException(ErrorCode,String)
  PalyraException: public PalyraException(ErrorCode,String,Throwable)
  PalyraException: public final class PalyraException extends RuntimeException
  Require: public final class Require extends Object
  Require: public static <T> T Require.present(T,String)
  Require: public static String Require.atMost(String,int,String)
  Require: public static String Require.orEmpty(String)
  Require: public static String Require.text(String,String)
  Require: public static void Require.that(boolean,String)
package palyra.api.access 2.0.0
  DecisionSource: public final enum DecisionSource extends Enum<DecisionSource>
  DecisionSource: public static DecisionSource DecisionSource.valueOf(String)
  DecisionSource: public static DecisionSource[] DecisionSource.values()
  DecisionSource: public static final DecisionSource DecisionSource.BREAK_GLASS
  DecisionSource: public static final DecisionSource DecisionSource.BUILT_IN_RULES
  DecisionSource: public static final DecisionSource DecisionSource.POLICY
  Permit: public DecisionSource Permit.source()
  Permit: public Permit(String,Principal,String,String,DecisionSource,String,long)
  Permit: public Principal Permit.principal()
  Permit: public String Permit.action()
  Permit: public String Permit.permitId()
  Permit: public String Permit.reason()
  Permit: public String Permit.resource()
  Permit: public final String Permit.toString()
  Permit: public final boolean Permit.equals(Object)
  Permit: public final int Permit.hashCode()
  Permit: public final record Permit(String permitId, Principal principal, String action, String resource, DecisionSource source, String reason, long issuedAtMillis) extends Record
  Permit: public long Permit.issuedAtMillis()
  Permit: public static final long Permit.VALID_MILLIS
  Permit: public void Permit.requireFor(String,long)
  Principal: public Principal(String,PrincipalKind,Set<String>,Set<String>,String)
  Principal: public Principal(String,PrincipalKind,Set<String>,Set<String>,String,String)
  Principal: public PrincipalKind Principal.kind()
  Principal: public Set<String> Principal.groups()
  Principal: public Set<String> Principal.scopes()
  Principal: public String Principal.credentialId()
  Principal: public String Principal.id()
  Principal: public String Principal.person()
  Principal: public boolean Principal.in(String)
  Principal: public final String Principal.toString()
  Principal: public final boolean Principal.equals(Object)
  Principal: public final int Principal.hashCode()
  Principal: public final record Principal(String id, PrincipalKind kind, Set groups, Set scopes, String credentialId, String person) extends Record
  PrincipalKind: public final enum PrincipalKind extends Enum<PrincipalKind>
  PrincipalKind: public static PrincipalKind PrincipalKind.valueOf(String)
  PrincipalKind: public static PrincipalKind[] PrincipalKind.values()
  PrincipalKind: public static final PrincipalKind PrincipalKind.DEVICE
  PrincipalKind: public static final PrincipalKind PrincipalKind.SERVICE
  PrincipalKind: public static final PrincipalKind PrincipalKind.SYSTEM
  PrincipalKind: public static final PrincipalKind PrincipalKind.USER
package palyra.api.approval 2.1.0
  ApprovalAnswer: public ApprovalAnswer(String,boolean,ApprovalScope,GrantShape,long,int,String)
  ApprovalAnswer: public ApprovalAnswer(String,boolean,ApprovalScope,long,String)
  ApprovalAnswer: public ApprovalScope ApprovalAnswer.scope()
  ApprovalAnswer: public GrantShape ApprovalAnswer.shape()
  ApprovalAnswer: public String ApprovalAnswer.approvalId()
  ApprovalAnswer: public String ApprovalAnswer.reason()
  ApprovalAnswer: public boolean ApprovalAnswer.granted()
  ApprovalAnswer: public final String ApprovalAnswer.toString()
  ApprovalAnswer: public final boolean ApprovalAnswer.equals(Object)
  ApprovalAnswer: public final int ApprovalAnswer.hashCode()
  ApprovalAnswer: public final record ApprovalAnswer(String approvalId, boolean granted, ApprovalScope scope, GrantShape shape, long ttlMillis, int maxUses, String reason) extends Record
  ApprovalAnswer: public int ApprovalAnswer.maxUses()
  ApprovalAnswer: public long ApprovalAnswer.ttlMillis()
  ApprovalExportFormat: public final enum ApprovalExportFormat extends Enum<ApprovalExportFormat>
  ApprovalExportFormat: public static ApprovalExportFormat ApprovalExportFormat.valueOf(String)
  ApprovalExportFormat: public static ApprovalExportFormat[] ApprovalExportFormat.values()
  ApprovalExportFormat: public static final ApprovalExportFormat ApprovalExportFormat.JSON
  ApprovalExportFormat: public static final ApprovalExportFormat ApprovalExportFormat.NDJSON
  ApprovalOption: public ApprovalAnswer ApprovalOption.answer(String,String)
  ApprovalOption: public ApprovalOption(String,String,String,boolean,boolean,ApprovalScope,GrantShape,long)
  ApprovalOption: public ApprovalScope ApprovalOption.scope()
  ApprovalOption: public GrantShape ApprovalOption.shape()
  ApprovalOption: public String ApprovalOption.description()
  ApprovalOption: public String ApprovalOption.label()
  ApprovalOption: public String ApprovalOption.optionId()
  ApprovalOption: public boolean ApprovalOption.defaultSelected()
  ApprovalOption: public boolean ApprovalOption.granted()
  ApprovalOption: public final String ApprovalOption.toString()
  ApprovalOption: public final boolean ApprovalOption.equals(Object)
  ApprovalOption: public final int ApprovalOption.hashCode()
  ApprovalOption: public final record ApprovalOption(String optionId, String label, String description, boolean defaultSelected, boolean granted, ApprovalScope scope, GrantShape shape, long ttlMillis) extends Record
  ApprovalOption: public long ApprovalOption.ttlMillis()
  ApprovalOrigin: public ApprovalOrigin(String,String,String,String,String,String,String)
  ApprovalOrigin: public String ApprovalOrigin.agentId()
  ApprovalOrigin: public String ApprovalOrigin.callId()
  ApprovalOrigin: public String ApprovalOrigin.channel()
  ApprovalOrigin: public String ApprovalOrigin.deviceId()
  ApprovalOrigin: public String ApprovalOrigin.principal()
  ApprovalOrigin: public String ApprovalOrigin.runId()
  ApprovalOrigin: public String ApprovalOrigin.sessionId()
  ApprovalOrigin: public final String ApprovalOrigin.toString()
  ApprovalOrigin: public final boolean ApprovalOrigin.equals(Object)
  ApprovalOrigin: public final int ApprovalOrigin.hashCode()
  ApprovalOrigin: public final record ApprovalOrigin(String sessionId, String runId, String callId, String agentId, String principal, String deviceId, String channel) extends Record
  ApprovalOutcome: public ApprovalOutcome(ApprovalState,long,String,ApprovalScope,GrantShape,long,String,String)
  ApprovalOutcome: public ApprovalScope ApprovalOutcome.scope()
  ApprovalOutcome: public ApprovalState ApprovalOutcome.state()
  ApprovalOutcome: public GrantShape ApprovalOutcome.shape()
  ApprovalOutcome: public String ApprovalOutcome.decidedBy()
  ApprovalOutcome: public String ApprovalOutcome.grantId()
  ApprovalOutcome: public String ApprovalOutcome.reason()
  ApprovalOutcome: public final String ApprovalOutcome.toString()
  ApprovalOutcome: public final boolean ApprovalOutcome.equals(Object)
  ApprovalOutcome: public final int ApprovalOutcome.hashCode()
  ApprovalOutcome: public final record ApprovalOutcome(ApprovalState state, long decidedAtMillis, String decidedBy, ApprovalScope scope, GrantShape shape, long ttlMillis, String reason, String grantId) extends Record
  ApprovalOutcome: public long ApprovalOutcome.decidedAtMillis()
  ApprovalOutcome: public long ApprovalOutcome.ttlMillis()
  ApprovalOutcome: public static ApprovalOutcome ApprovalOutcome.unanswered(ApprovalState,long)
  ApprovalOutcome: public static final ApprovalOutcome ApprovalOutcome.PENDING
  ApprovalPolicy: public ApprovalPolicy(String,String,String)
  ApprovalPolicy: public String ApprovalPolicy.policyId()
  ApprovalPolicy: public String ApprovalPolicy.policySha256()
  ApprovalPolicy: public String ApprovalPolicy.summary()
  ApprovalPolicy: public final String ApprovalPolicy.toString()
  ApprovalPolicy: public final boolean ApprovalPolicy.equals(Object)
  ApprovalPolicy: public final int ApprovalPolicy.hashCode()
  ApprovalPolicy: public final record ApprovalPolicy(String policyId, String policySha256, String summary) extends Record
  ApprovalPrompt: public ApprovalPrompt(String,RiskLevel,String,String,List<ApprovalOption>,int,String,String)
  ApprovalPrompt: public List<ApprovalOption> ApprovalPrompt.options()
  ApprovalPrompt: public RiskLevel ApprovalPrompt.risk()
  ApprovalPrompt: public String ApprovalPrompt.detailsJson()
  ApprovalPrompt: public String ApprovalPrompt.policyExplanation()
  ApprovalPrompt: public String ApprovalPrompt.subjectId()
  ApprovalPrompt: public String ApprovalPrompt.summary()
  ApprovalPrompt: public String ApprovalPrompt.title()
  ApprovalPrompt: public final String ApprovalPrompt.toString()
  ApprovalPrompt: public final boolean ApprovalPrompt.equals(Object)
  ApprovalPrompt: public final int ApprovalPrompt.hashCode()
  ApprovalPrompt: public final record ApprovalPrompt(String title, RiskLevel risk, String subjectId, String summary, List options, int timeoutSeconds, String detailsJson, String policyExplanation) extends Record
  ApprovalPrompt: public int ApprovalPrompt.timeoutSeconds()
  ApprovalQuery: public ApprovalQuery(Optional<ApprovalState>,Optional<ApprovalSubject>,String,String,String,String,long,long)
  ApprovalQuery: public Optional<ApprovalState> ApprovalQuery.state()
  ApprovalQuery: public Optional<ApprovalSubject> ApprovalQuery.subject()
  ApprovalQuery: public String ApprovalQuery.principal()
  ApprovalQuery: public String ApprovalQuery.runId()
  ApprovalQuery: public String ApprovalQuery.sessionId()
  ApprovalQuery: public String ApprovalQuery.subjectId()
  ApprovalQuery: public final String ApprovalQuery.toString()
  ApprovalQuery: public final boolean ApprovalQuery.equals(Object)
  ApprovalQuery: public final int ApprovalQuery.hashCode()
  ApprovalQuery: public final record ApprovalQuery(Optional state, Optional subject, String subjectId, String principal, String runId, String sessionId, long sinceMillis, long untilMillis) extends Record
  ApprovalQuery: public long ApprovalQuery.sinceMillis()
  ApprovalQuery: public long ApprovalQuery.untilMillis()
  ApprovalQuery: public static ApprovalQuery ApprovalQuery.pending(String)
  ApprovalQuery: public static final ApprovalQuery ApprovalQuery.ALL
  ApprovalScope: public final enum ApprovalScope extends Enum<ApprovalScope>
  ApprovalScope: public static ApprovalScope ApprovalScope.valueOf(String)
  ApprovalScope: public static ApprovalScope[] ApprovalScope.values()
  ApprovalScope: public static final ApprovalScope ApprovalScope.ONCE
  ApprovalScope: public static final ApprovalScope ApprovalScope.SESSION
  ApprovalScope: public static final ApprovalScope ApprovalScope.TIMEBOXED
  ApprovalState: public final enum ApprovalState extends Enum<ApprovalState>
  ApprovalState: public static ApprovalState ApprovalState.valueOf(String)
  ApprovalState: public static ApprovalState[] ApprovalState.values()
  ApprovalState: public static final ApprovalState ApprovalState.DENIED
  ApprovalState: public static final ApprovalState ApprovalState.EXPIRED
  ApprovalState: public static final ApprovalState ApprovalState.GRANTED
  ApprovalState: public static final ApprovalState ApprovalState.PENDING
  ApprovalState: public static final ApprovalState ApprovalState.WITHDRAWN
  ApprovalSubject: public final enum ApprovalSubject extends Enum<ApprovalSubject>
  ApprovalSubject: public static ApprovalSubject ApprovalSubject.valueOf(String)
  ApprovalSubject: public static ApprovalSubject[] ApprovalSubject.values()
  ApprovalSubject: public static final ApprovalSubject ApprovalSubject.BROWSER_ACTION
  ApprovalSubject: public static final ApprovalSubject ApprovalSubject.CHANNEL_SEND
  ApprovalSubject: public static final ApprovalSubject ApprovalSubject.DEVICE_PAIRING
  ApprovalSubject: public static final ApprovalSubject ApprovalSubject.NODE_CAPABILITY
  ApprovalSubject: public static final ApprovalSubject ApprovalSubject.SECRET_ACCESS
  ApprovalSubject: public static final ApprovalSubject ApprovalSubject.TOOL
  ApprovalView: public ApprovalOrigin ApprovalView.origin()
  ApprovalView: public ApprovalOutcome ApprovalView.outcome()
  ApprovalView: public ApprovalPolicy ApprovalView.policy()
  ApprovalView: public ApprovalPrompt ApprovalView.prompt()
  ApprovalView: public ApprovalState ApprovalView.state()
  ApprovalView: public ApprovalSubject ApprovalView.subject()
  ApprovalView: public ApprovalView(String,ApprovalOrigin,ApprovalSubject,String,String,ApprovalPrompt,ApprovalPolicy,List<String>,int,List<ApprovalVote>,long,long,int,boolean,ApprovalOutcome)
  ApprovalView: public List<ApprovalVote> ApprovalView.votes()
  ApprovalView: public List<String> ApprovalView.approvers()
  ApprovalView: public String ApprovalView.approvalId()
  ApprovalView: public String ApprovalView.callId()
  ApprovalView: public String ApprovalView.requestSummary()
  ApprovalView: public String ApprovalView.runId()
  ApprovalView: public String ApprovalView.subjectId()
  ApprovalView: public boolean ApprovalView.escalated()
  ApprovalView: public final String ApprovalView.toString()
  ApprovalView: public final boolean ApprovalView.equals(Object)
  ApprovalView: public final int ApprovalView.hashCode()
  ApprovalView: public final record ApprovalView(String approvalId, ApprovalOrigin origin, ApprovalSubject subject, String subjectId, String requestSummary, ApprovalPrompt prompt, ApprovalPolicy policy, List approvers, int quorum, List votes, long createdAtMillis, long expiresAtMillis, int notices, boolean escalated, ApprovalOutcome outcome) extends Record
  ApprovalView: public int ApprovalView.notices()
  ApprovalView: public int ApprovalView.quorum()
  ApprovalView: public long ApprovalView.createdAtMillis()
  ApprovalView: public long ApprovalView.expiresAtMillis()
  ApprovalVote: public ApprovalScope ApprovalVote.scope()
  ApprovalVote: public ApprovalVote(String,ApprovalScope,GrantShape,long,int,String,long)
  ApprovalVote: public GrantShape ApprovalVote.shape()
  ApprovalVote: public String ApprovalVote.principal()
  ApprovalVote: public String ApprovalVote.reason()
  ApprovalVote: public final String ApprovalVote.toString()
  ApprovalVote: public final boolean ApprovalVote.equals(Object)
  ApprovalVote: public final int ApprovalVote.hashCode()
  ApprovalVote: public final record ApprovalVote(String principal, ApprovalScope scope, GrantShape shape, long ttlMillis, int maxUses, String reason, long atMillis) extends Record
  ApprovalVote: public int ApprovalVote.maxUses()
  ApprovalVote: public long ApprovalVote.atMillis()
  ApprovalVote: public long ApprovalVote.ttlMillis()
  Approvals: public abstract ApprovalView Approvals.decide(palyra.api.access.Principal,ApprovalAnswer)
  Approvals: public abstract GrantView Approvals.revoke(palyra.api.access.Principal,String,String)
  Approvals: public abstract List<ApprovalView> Approvals.list(palyra.api.access.Principal,ApprovalQuery,String,int)
  Approvals: public abstract List<ApprovalView> Approvals.pending(palyra.api.access.Principal,String,String,int)
  Approvals: public abstract List<GrantView> Approvals.grants(palyra.api.access.Principal,String,boolean,String,int)
  Approvals: public abstract Optional<ApprovalView> Approvals.approval(palyra.api.access.Principal,String)
  Approvals: public abstract interface Approvals
  Approvals: public abstract void Approvals.export(palyra.api.access.Principal,ApprovalQuery,ApprovalExportFormat,int,java.util.function.Consumer<byte[]>)
  GrantShape: public final enum GrantShape extends Enum<GrantShape>
  GrantShape: public static GrantShape GrantShape.valueOf(String)
  GrantShape: public static GrantShape[] GrantShape.values()
  GrantShape: public static final GrantShape GrantShape.EXACT
  GrantShape: public static final GrantShape GrantShape.PATTERN
  GrantState: public final enum GrantState extends Enum<GrantState>
  GrantState: public static GrantState GrantState.valueOf(String)
  GrantState: public static GrantState[] GrantState.values()
  GrantState: public static final GrantState GrantState.ACTIVE
  GrantState: public static final GrantState GrantState.EXHAUSTED
  GrantState: public static final GrantState GrantState.EXPIRED
  GrantState: public static final GrantState GrantState.REVOKED
  GrantView: public ApprovalScope GrantView.scope()
  GrantView: public GrantShape GrantView.shape()
  GrantView: public GrantState GrantView.state()
  GrantView: public GrantView(String,String,String,String,String,String,ApprovalScope,GrantShape,String,String,GrantState,long,long,int,int,String)
  GrantView: public String GrantView.agentId()
  GrantView: public String GrantView.approvalId()
  GrantView: public String GrantView.covers()
  GrantView: public String GrantView.endedBy()
  GrantView: public String GrantView.grantId()
  GrantView: public String GrantView.grantedBy()
  GrantView: public String GrantView.principal()
  GrantView: public String GrantView.sessionId()
  GrantView: public String GrantView.tool()
  GrantView: public final String GrantView.toString()
  GrantView: public final boolean GrantView.equals(Object)
  GrantView: public final int GrantView.hashCode()
  GrantView: public final record GrantView(String grantId, String approvalId, String principal, String agentId, String sessionId, String tool, ApprovalScope scope, GrantShape shape, String covers, String grantedBy, GrantState state, long createdAtMillis, long expiresAtMillis, int maxUses, int uses, String endedBy) extends Record
  GrantView: public int GrantView.maxUses()
  GrantView: public int GrantView.uses()
  GrantView: public long GrantView.createdAtMillis()
  GrantView: public long GrantView.expiresAtMillis()
  RiskLevel: public final enum RiskLevel extends Enum<RiskLevel>
  RiskLevel: public static RiskLevel RiskLevel.valueOf(String)
  RiskLevel: public static RiskLevel[] RiskLevel.values()
  RiskLevel: public static final RiskLevel RiskLevel.CRITICAL
  RiskLevel: public static final RiskLevel RiskLevel.HIGH
  RiskLevel: public static final RiskLevel RiskLevel.LOW
  RiskLevel: public static final RiskLevel RiskLevel.MEDIUM
package palyra.api.channel 3.0.0
  Acceptance$Outcome: public static Acceptance$Outcome Acceptance$Outcome.valueOf(String)
  Acceptance$Outcome: public static Acceptance$Outcome[] Acceptance$Outcome.values()
  Acceptance$Outcome: public static final Acceptance$Outcome Acceptance$Outcome.IGNORED
  Acceptance$Outcome: public static final Acceptance$Outcome Acceptance$Outcome.KNOWN
  Acceptance$Outcome: public static final Acceptance$Outcome Acceptance$Outcome.STORED
  Acceptance$Outcome: public static final enum Acceptance$Outcome extends Enum<Acceptance$Outcome>
  Acceptance: public Acceptance$Outcome Acceptance.outcome()
  Acceptance: public Acceptance(Acceptance$Outcome,String,String)
  Acceptance: public Acceptance(Acceptance$Outcome,String,String,String)
  Acceptance: public String Acceptance.messageId()
  Acceptance: public String Acceptance.reason()
  Acceptance: public String Acceptance.said()
  Acceptance: public final String Acceptance.toString()
  Acceptance: public final boolean Acceptance.equals(Object)
  Acceptance: public final int Acceptance.hashCode()
  Acceptance: public final record Acceptance(Acceptance$Outcome outcome, String messageId, String reason, String said) extends Record
  Connector: public abstract ConnectorCapabilities Connector.capabilities()
  Connector: public abstract ConnectorId Connector.id()
  Connector: public abstract ConnectorStatus Connector.status()
  Connector: public abstract Delivery Connector.send(OutboundMessage)
  Connector: public abstract interface Connector
  Connector: public abstract void Connector.start(ConnectorContext)
  Connector: public abstract void Connector.stop()
  Connector: public default Delivery Connector.lookup(OutboundMessage)
  Connector: public default List<String> Connector.render(String)
  Connector: public default String Connector.threadOf(InboundMessage)
  Connector: public default long Connector.typing(Conversation)
  Connector: public default void Connector.fetch(InboundMessage$Attachment,java.io.OutputStream,long) throws java.io.IOException
  ConnectorCapabilities$Feature: public static ConnectorCapabilities$Feature ConnectorCapabilities$Feature.valueOf(String)
  ConnectorCapabilities$Feature: public static ConnectorCapabilities$Feature[] ConnectorCapabilities$Feature.values()
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.BUTTONS
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.DEDUPLICATION
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.EDITS
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.FILES_IN
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.FILES_OUT
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.LOOKUP
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.REACTIONS
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.THREADS
  ConnectorCapabilities$Feature: public static final ConnectorCapabilities$Feature ConnectorCapabilities$Feature.TYPING
  ConnectorCapabilities$Feature: public static final enum ConnectorCapabilities$Feature extends Enum<ConnectorCapabilities$Feature>
  ConnectorCapabilities: public ConnectorCapabilities(int,Set<ConnectorCapabilities$Feature>)
  ConnectorCapabilities: public Set<ConnectorCapabilities$Feature> ConnectorCapabilities.features()
  ConnectorCapabilities: public boolean ConnectorCapabilities.has(ConnectorCapabilities$Feature)
  ConnectorCapabilities: public final String ConnectorCapabilities.toString()
  ConnectorCapabilities: public final boolean ConnectorCapabilities.equals(Object)
  ConnectorCapabilities: public final int ConnectorCapabilities.hashCode()
  ConnectorCapabilities: public final record ConnectorCapabilities(int maxCharacters, Set features) extends Record
  ConnectorCapabilities: public int ConnectorCapabilities.maxCharacters()
  ConnectorCapabilities: public static ConnectorCapabilities ConnectorCapabilities.of(int,ConnectorCapabilities$Feature...)
  ConnectorContext: public abstract Acceptance ConnectorContext.accept(InboundMessage)
  ConnectorContext: public abstract Optional<byte[]> ConnectorContext.position()
  ConnectorContext: public abstract String ConnectorContext.press(InboundAction)
  ConnectorContext: public abstract String ConnectorContext.principal()
  ConnectorContext: public abstract String ConnectorContext.secret(String)
  ConnectorContext: public abstract interface ConnectorContext
  ConnectorContext: public abstract void ConnectorContext.keepPosition(byte[])
  ConnectorContext: public default Acceptance ConnectorContext.accept(InboundMessage,byte[])
  ConnectorContext: public default Acceptance ConnectorContext.acceptAside(InboundMessage,byte[])
  ConnectorContext: public default String ConnectorContext.press(InboundAction,String)
  ConnectorContext: public default String ConnectorContext.refusal(String,Sender)
  ConnectorContext: public default boolean ConnectorContext.asksReason(String)
  ConnectorContext: public static final int ConnectorContext.MAX_REASON
  ConnectorId: public ConnectorId(String,String)
  ConnectorId: public String ConnectorId.account()
  ConnectorId: public String ConnectorId.kind()
  ConnectorId: public String ConnectorId.toString()
  ConnectorId: public final boolean ConnectorId.equals(Object)
  ConnectorId: public final int ConnectorId.hashCode()
  ConnectorId: public final record ConnectorId(String kind, String account) extends Record
  ConnectorId: public static ConnectorId ConnectorId.parse(String)
  ConnectorStatus$State: public static ConnectorStatus$State ConnectorStatus$State.valueOf(String)
  ConnectorStatus$State: public static ConnectorStatus$State[] ConnectorStatus$State.values()
  ConnectorStatus$State: public static final ConnectorStatus$State ConnectorStatus$State.CONNECTING
  ConnectorStatus$State: public static final ConnectorStatus$State ConnectorStatus$State.DEGRADED
  ConnectorStatus$State: public static final ConnectorStatus$State ConnectorStatus$State.FAILED
  ConnectorStatus$State: public static final ConnectorStatus$State ConnectorStatus$State.READY
  ConnectorStatus$State: public static final ConnectorStatus$State ConnectorStatus$State.RECONNECTING
  ConnectorStatus$State: public static final ConnectorStatus$State ConnectorStatus$State.STOPPED
  ConnectorStatus$State: public static final enum ConnectorStatus$State extends Enum<ConnectorStatus$State>
  ConnectorStatus: public ConnectorStatus$State ConnectorStatus.state()
  ConnectorStatus: public ConnectorStatus(ConnectorStatus$State,long,String,long,long)
  ConnectorStatus: public String ConnectorStatus.reason()
  ConnectorStatus: public final String ConnectorStatus.toString()
  ConnectorStatus: public final boolean ConnectorStatus.equals(Object)
  ConnectorStatus: public final int ConnectorStatus.hashCode()
  ConnectorStatus: public final record ConnectorStatus(ConnectorStatus$State state, long sinceMillis, String reason, long nextAttemptAtMillis, long lastEventAtMillis) extends Record
  ConnectorStatus: public long ConnectorStatus.lastEventAtMillis()
  ConnectorStatus: public long ConnectorStatus.nextAttemptAtMillis()
  ConnectorStatus: public long ConnectorStatus.sinceMillis()
  ConnectorStatus: public static ConnectorStatus ConnectorStatus.of(ConnectorStatus$State,String)
  Conversation: public Conversation(String,String,boolean,String)
  Conversation: public String Conversation.id()
  Conversation: public String Conversation.name()
  Conversation: public String Conversation.thread()
  Conversation: public boolean Conversation.direct()
  Conversation: public final String Conversation.toString()
  Conversation: public final boolean Conversation.equals(Object)
  Conversation: public final int Conversation.hashCode()
  Conversation: public final record Conversation(String id, String thread, boolean direct, String name) extends Record
  Conversation: public static Conversation Conversation.direct(String)
  Conversation: public static Conversation Conversation.group(String,String)
  Delivery$Delivered: public Delivery$Delivered(String)
  Delivery$Delivered: public String Delivery$Delivered.messageId()
  Delivery$Delivered: public final String Delivery$Delivered.toString()
  Delivery$Delivered: public final boolean Delivery$Delivered.equals(Object)
  Delivery$Delivered: public final int Delivery$Delivered.hashCode()
  Delivery$Delivered: public static final record Delivery$Delivered(String messageId) extends Record implements Delivery
  Delivery$Refused: public Delivery$Refused(String)
  Delivery$Refused: public String Delivery$Refused.reason()
  Delivery$Refused: public final String Delivery$Refused.toString()
  Delivery$Refused: public final boolean Delivery$Refused.equals(Object)
  Delivery$Refused: public final int Delivery$Refused.hashCode()
  Delivery$Refused: public static final record Delivery$Refused(String reason) extends Record implements Delivery
  Delivery$RetryAfter: public Delivery$RetryAfter(long,boolean,String)
  Delivery$RetryAfter: public String Delivery$RetryAfter.reason()
  Delivery$RetryAfter: public boolean Delivery$RetryAfter.conversationOnly()
  Delivery$RetryAfter: public final String Delivery$RetryAfter.toString()
  Delivery$RetryAfter: public final boolean Delivery$RetryAfter.equals(Object)
  Delivery$RetryAfter: public final int Delivery$RetryAfter.hashCode()
  Delivery$RetryAfter: public long Delivery$RetryAfter.millis()
  Delivery$RetryAfter: public static Delivery$RetryAfter Delivery$RetryAfter.of(long,String)
  Delivery$RetryAfter: public static final record Delivery$RetryAfter(long millis, boolean conversationOnly, String reason) extends Record implements Delivery
  Delivery$Unknown: public Delivery$Unknown(String)
  Delivery$Unknown: public String Delivery$Unknown.reason()
  Delivery$Unknown: public final String Delivery$Unknown.toString()
  Delivery$Unknown: public final boolean Delivery$Unknown.equals(Object)
  Delivery$Unknown: public final int Delivery$Unknown.hashCode()
  Delivery$Unknown: public static final record Delivery$Unknown(String reason) extends Record implements Delivery
  Delivery: public abstract sealed interface Delivery permits Delivery$Delivered, Delivery$Refused, Delivery$RetryAfter, Delivery$Unknown
  InboundAction: public Conversation InboundAction.conversation()
  InboundAction: public InboundAction(String,Sender,Conversation)
  InboundAction: public Sender InboundAction.sender()
  InboundAction: public String InboundAction.data()
  InboundAction: public final String InboundAction.toString()
  InboundAction: public final boolean InboundAction.equals(Object)
  InboundAction: public final int InboundAction.hashCode()
  InboundAction: public final record InboundAction(String data, Sender sender, Conversation conversation) extends Record
  InboundMessage$Attachment: public InboundMessage$Attachment(String,String,long,String)
  InboundMessage$Attachment: public String InboundMessage$Attachment.mediaType()
  InboundMessage$Attachment: public String InboundMessage$Attachment.name()
  InboundMessage$Attachment: public String InboundMessage$Attachment.reference()
  InboundMessage$Attachment: public final String InboundMessage$Attachment.toString()
  InboundMessage$Attachment: public final boolean InboundMessage$Attachment.equals(Object)
  InboundMessage$Attachment: public final int InboundMessage$Attachment.hashCode()
  InboundMessage$Attachment: public long InboundMessage$Attachment.bytes()
  InboundMessage$Attachment: public static final record InboundMessage$Attachment(String name, String mediaType, long bytes, String reference) extends Record
  InboundMessage$Broadcast: public static InboundMessage$Broadcast InboundMessage$Broadcast.valueOf(String)
  InboundMessage$Broadcast: public static InboundMessage$Broadcast[] InboundMessage$Broadcast.values()
  InboundMessage$Broadcast: public static final InboundMessage$Broadcast InboundMessage$Broadcast.BY_TEXT
  InboundMessage$Broadcast: public static final InboundMessage$Broadcast InboundMessage$Broadcast.NO
  InboundMessage$Broadcast: public static final InboundMessage$Broadcast InboundMessage$Broadcast.YES
  InboundMessage$Broadcast: public static final enum InboundMessage$Broadcast extends Enum<InboundMessage$Broadcast>
  InboundMessage$Event: public static InboundMessage$Event InboundMessage$Event.valueOf(String)
  InboundMessage$Event: public static InboundMessage$Event[] InboundMessage$Event.values()
  InboundMessage$Event: public static final InboundMessage$Event InboundMessage$Event.DELETED
  InboundMessage$Event: public static final InboundMessage$Event InboundMessage$Event.EDITED
  InboundMessage$Event: public static final InboundMessage$Event InboundMessage$Event.WRITTEN
  InboundMessage$Event: public static final enum InboundMessage$Event extends Enum<InboundMessage$Event>
  InboundMessage: public Conversation InboundMessage.conversation()
  InboundMessage: public InboundMessage InboundMessage.withoutReferences()
  InboundMessage: public InboundMessage$Broadcast InboundMessage.broadcast()
  InboundMessage: public InboundMessage$Event InboundMessage.event()
  InboundMessage: public InboundMessage(InboundMessage$Event,String,String,Sender,Conversation,String,String,boolean,Set<String>,List<InboundMessage$Attachment>,long)
  InboundMessage: public InboundMessage(InboundMessage$Event,String,String,Sender,Conversation,String,String,boolean,Set<String>,List<InboundMessage$Attachment>,long,InboundMessage$Broadcast)
  InboundMessage: public List<InboundMessage$Attachment> InboundMessage.attachments()
  InboundMessage: public Sender InboundMessage.sender()
  InboundMessage: public Set<String> InboundMessage.mentions()
  InboundMessage: public String InboundMessage.messageId()
  InboundMessage: public String InboundMessage.replyTo()
  InboundMessage: public String InboundMessage.revision()
  InboundMessage: public String InboundMessage.text()
  InboundMessage: public boolean InboundMessage.mentionsAccount()
  InboundMessage: public final String InboundMessage.toString()
  InboundMessage: public final boolean InboundMessage.equals(Object)
  InboundMessage: public final int InboundMessage.hashCode()
  InboundMessage: public final record InboundMessage(InboundMessage$Event event, String messageId, String revision, Sender sender, Conversation conversation, String replyTo, String text, boolean mentionsAccount, Set mentions, List attachments, long sentAtMillis, InboundMessage$Broadcast broadcast) extends Record
  InboundMessage: public long InboundMessage.sentAtMillis()
  InboundMessage: public static InboundMessage InboundMessage.written(String,Sender,Conversation,String,boolean,long)
  InboundMessage: public static final int InboundMessage.MAX_TEXT
  MarkdownParts: public final class MarkdownParts extends Object
  MarkdownParts: public static List<String> MarkdownParts.cut(String,int)
  MessageOrigin: public Conversation MessageOrigin.conversation()
  MessageOrigin: public List<InboundMessage$Attachment> MessageOrigin.files()
  MessageOrigin: public MessageOrigin(Conversation,Sender,String,String)
  MessageOrigin: public MessageOrigin(Conversation,Sender,String,String,String)
  MessageOrigin: public MessageOrigin(Conversation,Sender,String,String,String,List<InboundMessage$Attachment>)
  MessageOrigin: public Sender MessageOrigin.sender()
  MessageOrigin: public String MessageOrigin.messageId()
  MessageOrigin: public String MessageOrigin.responsePrefix()
  MessageOrigin: public String MessageOrigin.revision()
  MessageOrigin: public final String MessageOrigin.toString()
  MessageOrigin: public final boolean MessageOrigin.equals(Object)
  MessageOrigin: public final int MessageOrigin.hashCode()
  MessageOrigin: public final record MessageOrigin(Conversation conversation, Sender sender, String messageId, String responsePrefix, String revision, List files) extends Record
  MessageOrigin: public static List<InboundMessage$Attachment> MessageOrigin.fetchable(List<InboundMessage$Attachment>)
  MessageOrigin: public static String MessageOrigin.orderKey(Conversation)
  MessageOrigin: public static final int MessageOrigin.MAX_FILES_BYTES
  OutboundMessage$Button: public OutboundMessage$Button(String,String,boolean)
  OutboundMessage$Button: public String OutboundMessage$Button.data()
  OutboundMessage$Button: public String OutboundMessage$Button.label()
  OutboundMessage$Button: public boolean OutboundMessage$Button.dangerous()
  OutboundMessage$Button: public final String OutboundMessage$Button.toString()
  OutboundMessage$Button: public final boolean OutboundMessage$Button.equals(Object)
  OutboundMessage$Button: public final int OutboundMessage$Button.hashCode()
  OutboundMessage$Button: public static final record OutboundMessage$Button(String data, String label, boolean dangerous) extends Record
  OutboundMessage$File$Content: public abstract java.io.InputStream OutboundMessage$File$Content.open() throws java.io.IOException
  OutboundMessage$File$Content: public abstract static interface OutboundMessage$File$Content
  OutboundMessage$File: public OutboundMessage$File$Content OutboundMessage$File.content()
  OutboundMessage$File: public OutboundMessage$File(String,String,long,OutboundMessage$File$Content)
  OutboundMessage$File: public String OutboundMessage$File.mediaType()
  OutboundMessage$File: public String OutboundMessage$File.name()
  OutboundMessage$File: public final String OutboundMessage$File.toString()
  OutboundMessage$File: public final boolean OutboundMessage$File.equals(Object)
  OutboundMessage$File: public final int OutboundMessage$File.hashCode()
  OutboundMessage$File: public long OutboundMessage$File.bytes()
  OutboundMessage$File: public static final record OutboundMessage$File(String name, String mediaType, long bytes, OutboundMessage$File$Content content) extends Record
  OutboundMessage: public Conversation OutboundMessage.conversation()
  OutboundMessage: public List<OutboundMessage$Button> OutboundMessage.buttons()
  OutboundMessage: public List<OutboundMessage$File> OutboundMessage.files()
  OutboundMessage: public OutboundMessage(String,Conversation,String,String,String,List<OutboundMessage$Button>)
  OutboundMessage: public OutboundMessage(String,Conversation,String,String,String,String,List<OutboundMessage$Button>)
  OutboundMessage: public OutboundMessage(String,Conversation,String,String,String,String,List<OutboundMessage$Button>,List<OutboundMessage$File>)
  OutboundMessage: public String OutboundMessage.editOf()
  OutboundMessage: public String OutboundMessage.key()
  OutboundMessage: public String OutboundMessage.reactionTo()
  OutboundMessage: public String OutboundMessage.replyTo()
  OutboundMessage: public String OutboundMessage.text()
  OutboundMessage: public final String OutboundMessage.toString()
  OutboundMessage: public final boolean OutboundMessage.equals(Object)
  OutboundMessage: public final int OutboundMessage.hashCode()
  OutboundMessage: public final record OutboundMessage(String key, Conversation conversation, String replyTo, String editOf, String reactionTo, String text, List buttons, List files) extends Record
  OutboundMessage: public static OutboundMessage OutboundMessage.reaction(String,Conversation,String,String)
  OutboundMessage: public static final int OutboundMessage.MAX_DATA
  OutboundMessage: public static final int OutboundMessage.MAX_FILES
  OutboundMessage: public static final int OutboundMessage.MAX_REACTION
  OutboundMessage: public static void OutboundMessage.requireReaction(String)
  Sender: public Sender(String,String,boolean,boolean)
  Sender: public String Sender.id()
  Sender: public String Sender.name()
  Sender: public boolean Sender.bot()
  Sender: public boolean Sender.verified()
  Sender: public final String Sender.toString()
  Sender: public final boolean Sender.equals(Object)
  Sender: public final int Sender.hashCode()
  Sender: public final record Sender(String id, String name, boolean bot, boolean verified) extends Record
package palyra.api.command 2.0.0
  Command: public abstract CommandSpec Command.spec()
  Command: public abstract int Command.run(CommandContext) throws Exception
  Command: public abstract interface Command
  Command: public default List<String> Command.complete(int,String)
  CommandArguments: public CommandArguments(Map<String, List<String>>,List<String>)
  CommandArguments: public List<String> CommandArguments.positionals()
  CommandArguments: public Map<String, List<String>> CommandArguments.options()
  CommandArguments: public Optional<String> CommandArguments.option(String)
  CommandArguments: public Optional<String> CommandArguments.positional(int)
  CommandArguments: public boolean CommandArguments.flag(String)
  CommandArguments: public final String CommandArguments.toString()
  CommandArguments: public final boolean CommandArguments.equals(Object)
  CommandArguments: public final int CommandArguments.hashCode()
  CommandArguments: public final record CommandArguments(Map options, List positionals) extends Record
  CommandArguments: public int CommandArguments.number(String,int,int,int)
  CommandContext: public abstract CommandArguments CommandContext.arguments()
  CommandContext: public abstract CommandOutput CommandContext.output()
  CommandContext: public abstract String CommandContext.workingFolder()
  CommandContext: public abstract boolean CommandContext.cancelled()
  CommandContext: public abstract boolean CommandContext.interactive()
  CommandContext: public abstract boolean CommandContext.json()
  CommandContext: public abstract int CommandContext.columns()
  CommandContext: public abstract interface CommandContext
  CommandContext: public abstract java.io.InputStream CommandContext.in()
  CommandContext: public abstract java.io.OutputStream CommandContext.out()
  CommandContext: public abstract palyra.api.access.Principal CommandContext.principal()
  CommandContext: public abstract void CommandContext.onCancel(Runnable)
  CommandContext: public default palyra.api.access.Permit CommandContext.permit()
  CommandOutput: public abstract interface CommandOutput
  CommandOutput: public abstract void CommandOutput.fields(Map<String, ?>)
  CommandOutput: public abstract void CommandOutput.line(String)
  CommandOutput: public abstract void CommandOutput.note(String)
  CommandOutput: public abstract void CommandOutput.raw(String)
  CommandOutput: public abstract void CommandOutput.table(List<String>,List<? extends List<?>>)
  CommandOutput: public default void CommandOutput.progress(String)
  CommandSpec: public CommandSpec(String,String,String,List<OptionSpec>,List<PositionalSpec>,String,boolean)
  CommandSpec: public List<OptionSpec> CommandSpec.options()
  CommandSpec: public List<PositionalSpec> CommandSpec.positionals()
  CommandSpec: public String CommandSpec.action()
  CommandSpec: public String CommandSpec.details()
  CommandSpec: public String CommandSpec.name()
  CommandSpec: public String CommandSpec.summary()
  CommandSpec: public boolean CommandSpec.mutating()
  CommandSpec: public final String CommandSpec.toString()
  CommandSpec: public final boolean CommandSpec.equals(Object)
  CommandSpec: public final int CommandSpec.hashCode()
  CommandSpec: public final record CommandSpec(String name, String summary, String details, List options, List positionals, String action, boolean mutating) extends Record
  ExitCodes: public final class ExitCodes extends Object
  ExitCodes: public static final int ExitCodes.CANCELLED
  ExitCodes: public static final int ExitCodes.DATA
  ExitCodes: public static final int ExitCodes.DENIED
  ExitCodes: public static final int ExitCodes.FAILED
  ExitCodes: public static final int ExitCodes.INTERNAL
  ExitCodes: public static final int ExitCodes.NOT_FOUND
  ExitCodes: public static final int ExitCodes.OK
  ExitCodes: public static final int ExitCodes.RESOURCE
  ExitCodes: public static final int ExitCodes.UNAVAILABLE
  ExitCodes: public static final int ExitCodes.USAGE
  ExitCodes: public static int ExitCodes.of(palyra.api.ErrorCode)
  OptionSpec: public List<String> OptionSpec.values()
  OptionSpec: public OptionSpec(String,String,String,List<String>,boolean)
  OptionSpec: public String OptionSpec.description()
  OptionSpec: public String OptionSpec.name()
  OptionSpec: public String OptionSpec.valueName()
  OptionSpec: public boolean OptionSpec.isFlag()
  OptionSpec: public boolean OptionSpec.repeatable()
  OptionSpec: public final String OptionSpec.toString()
  OptionSpec: public final boolean OptionSpec.equals(Object)
  OptionSpec: public final int OptionSpec.hashCode()
  OptionSpec: public final record OptionSpec(String name, String valueName, String description, List values, boolean repeatable) extends Record
  OptionSpec: public static OptionSpec OptionSpec.choice(String,String,String,List<String>)
  OptionSpec: public static OptionSpec OptionSpec.flag(String,String)
  OptionSpec: public static OptionSpec OptionSpec.value(String,String,String)
  PositionalSpec: public PositionalSpec(String,String,boolean,boolean)
  PositionalSpec: public String PositionalSpec.description()
  PositionalSpec: public String PositionalSpec.name()
  PositionalSpec: public boolean PositionalSpec.repeated()
  PositionalSpec: public boolean PositionalSpec.required()
  PositionalSpec: public final String PositionalSpec.toString()
  PositionalSpec: public final boolean PositionalSpec.equals(Object)
  PositionalSpec: public final int PositionalSpec.hashCode()
  PositionalSpec: public final record PositionalSpec(String name, String description, boolean required, boolean repeated) extends Record
  PositionalSpec: public static PositionalSpec PositionalSpec.optional(String,String)
  PositionalSpec: public static PositionalSpec PositionalSpec.required(String,String)
  PositionalSpec: public static PositionalSpec PositionalSpec.rest(String,String)
package palyra.api.console 1.0.0
  Block$Chart: public Block$Chart(String,String,List<Block$Series>)
  Block$Chart: public List<Block$Series> Block$Chart.series()
  Block$Chart: public String Block$Chart.title()
  Block$Chart: public String Block$Chart.unit()
  Block$Chart: public final String Block$Chart.toString()
  Block$Chart: public final boolean Block$Chart.equals(Object)
  Block$Chart: public final int Block$Chart.hashCode()
  Block$Chart: public static final record Block$Chart(String title, String unit, List series) extends Record implements Block
  Block$Details: public Block$Details(String,List<Block>)
  Block$Details: public List<Block> Block$Details.blocks()
  Block$Details: public String Block$Details.summary()
  Block$Details: public final String Block$Details.toString()
  Block$Details: public final boolean Block$Details.equals(Object)
  Block$Details: public final int Block$Details.hashCode()
  Block$Details: public static final record Block$Details(String summary, List blocks) extends Record implements Block
  Block$Fact: public Block$Fact(String,Value)
  Block$Fact: public String Block$Fact.name()
  Block$Fact: public Value Block$Fact.value()
  Block$Fact: public final String Block$Fact.toString()
  Block$Fact: public final boolean Block$Fact.equals(Object)
  Block$Fact: public final int Block$Fact.hashCode()
  Block$Fact: public static final record Block$Fact(String name, Value value) extends Record
  Block$Facts: public Block$Facts(List<Block$Fact>)
  Block$Facts: public List<Block$Fact> Block$Facts.facts()
  Block$Facts: public final String Block$Facts.toString()
  Block$Facts: public final boolean Block$Facts.equals(Object)
  Block$Facts: public final int Block$Facts.hashCode()
  Block$Facts: public static final record Block$Facts(List facts) extends Record implements Block
  Block$Field: public Block$Field(String,String,Block$FieldKind,String,List<String>,String,boolean)
  Block$Field: public Block$FieldKind Block$Field.kind()
  Block$Field: public List<String> Block$Field.options()
  Block$Field: public String Block$Field.help()
  Block$Field: public String Block$Field.label()
  Block$Field: public String Block$Field.name()
  Block$Field: public String Block$Field.value()
  Block$Field: public boolean Block$Field.required()
  Block$Field: public final String Block$Field.toString()
  Block$Field: public final boolean Block$Field.equals(Object)
  Block$Field: public final int Block$Field.hashCode()
  Block$Field: public static Block$Field Block$Field.hidden(String,String)
  Block$Field: public static Block$Field Block$Field.line(String,String)
  Block$Field: public static final record Block$Field(String name, String label, Block$FieldKind kind, String value, List options, String help, boolean required) extends Record
  Block$FieldKind: public static Block$FieldKind Block$FieldKind.valueOf(String)
  Block$FieldKind: public static Block$FieldKind[] Block$FieldKind.values()
  Block$FieldKind: public static final Block$FieldKind Block$FieldKind.CHECK
  Block$FieldKind: public static final Block$FieldKind Block$FieldKind.CHOICE
  Block$FieldKind: public static final Block$FieldKind Block$FieldKind.HIDDEN
  Block$FieldKind: public static final Block$FieldKind Block$FieldKind.LINE
  Block$FieldKind: public static final Block$FieldKind Block$FieldKind.LINES
  Block$FieldKind: public static final Block$FieldKind Block$FieldKind.SECRET
  Block$FieldKind: public static final Block$FieldKind Block$FieldKind.SOURCE
  Block$FieldKind: public static final enum Block$FieldKind extends Enum<Block$FieldKind>
  Block$Form: public Block$Form(String,String,String,String,String,boolean,List<Block$Field>)
  Block$Form: public List<Block$Field> Block$Form.fields()
  Block$Form: public String Block$Form.action()
  Block$Form: public String Block$Form.confirm()
  Block$Form: public String Block$Form.id()
  Block$Form: public String Block$Form.label()
  Block$Form: public String Block$Form.resource()
  Block$Form: public boolean Block$Form.sensitive()
  Block$Form: public final String Block$Form.toString()
  Block$Form: public final boolean Block$Form.equals(Object)
  Block$Form: public final int Block$Form.hashCode()
  Block$Form: public static final record Block$Form(String id, String label, String action, String resource, String confirm, boolean sensitive, List fields) extends Record implements Block
  Block$Heading: public Block$Heading(String)
  Block$Heading: public String Block$Heading.text()
  Block$Heading: public final String Block$Heading.toString()
  Block$Heading: public final boolean Block$Heading.equals(Object)
  Block$Heading: public final int Block$Heading.hashCode()
  Block$Heading: public static final record Block$Heading(String text) extends Record implements Block
  Block$Notice: public Block$Notice(Level,String,String)
  Block$Notice: public Level Block$Notice.level()
  Block$Notice: public String Block$Notice.message()
  Block$Notice: public String Block$Notice.remedy()
  Block$Notice: public final String Block$Notice.toString()
  Block$Notice: public final boolean Block$Notice.equals(Object)
  Block$Notice: public final int Block$Notice.hashCode()
  Block$Notice: public static final record Block$Notice(Level level, String message, String remedy) extends Record implements Block
  Block$Paragraph: public Block$Paragraph(String)
  Block$Paragraph: public String Block$Paragraph.text()
  Block$Paragraph: public final String Block$Paragraph.toString()
  Block$Paragraph: public final boolean Block$Paragraph.equals(Object)
  Block$Paragraph: public final int Block$Paragraph.hashCode()
  Block$Paragraph: public static final record Block$Paragraph(String text) extends Record implements Block
  Block$Point: public Block$Point(long,double)
  Block$Point: public double Block$Point.value()
  Block$Point: public final String Block$Point.toString()
  Block$Point: public final boolean Block$Point.equals(Object)
  Block$Point: public final int Block$Point.hashCode()
  Block$Point: public long Block$Point.unixMillis()
  Block$Point: public static final record Block$Point(long unixMillis, double value) extends Record
  Block$Preformatted: public Block$Preformatted(String,String)
  Block$Preformatted: public String Block$Preformatted.text()
  Block$Preformatted: public String Block$Preformatted.title()
  Block$Preformatted: public final String Block$Preformatted.toString()
  Block$Preformatted: public final boolean Block$Preformatted.equals(Object)
  Block$Preformatted: public final int Block$Preformatted.hashCode()
  Block$Preformatted: public static final record Block$Preformatted(String title, String text) extends Record implements Block
  Block$Row: public Block$Row(List<Value>)
  Block$Row: public List<Value> Block$Row.values()
  Block$Row: public final String Block$Row.toString()
  Block$Row: public final boolean Block$Row.equals(Object)
  Block$Row: public final int Block$Row.hashCode()
  Block$Row: public static Block$Row Block$Row.of(Value...)
  Block$Row: public static final record Block$Row(List values) extends Record
  Block$Series: public Block$Series(String,List<Block$Point>)
  Block$Series: public List<Block$Point> Block$Series.points()
  Block$Series: public String Block$Series.name()
  Block$Series: public final String Block$Series.toString()
  Block$Series: public final boolean Block$Series.equals(Object)
  Block$Series: public final int Block$Series.hashCode()
  Block$Series: public static final record Block$Series(String name, List points) extends Record
  Block$Table: public Block$Table(List<String>,List<Block$Row>,String)
  Block$Table: public List<Block$Row> Block$Table.rows()
  Block$Table: public List<String> Block$Table.columns()
  Block$Table: public String Block$Table.empty()
  Block$Table: public final String Block$Table.toString()
  Block$Table: public final boolean Block$Table.equals(Object)
  Block$Table: public final int Block$Table.hashCode()
  Block$Table: public static final record Block$Table(List columns, List rows, String empty) extends Record implements Block
  Block: public abstract sealed interface Block permits Block$Chart, Block$Details, Block$Facts, Block$Form, Block$Heading, Block$Notice, Block$Paragraph, Block$Preformatted, Block$Table
  ConsolePanel: public abstract PanelPage ConsolePanel.show(PanelRequest)
  ConsolePanel: public abstract PanelSpec ConsolePanel.spec()
  ConsolePanel: public abstract interface ConsolePanel
  ConsolePanel: public default PanelResult ConsolePanel.submit(PanelSubmission)
  Level: public final enum Level extends Enum<Level>
  Level: public static Level Level.valueOf(String)
  Level: public static Level[] Level.values()
  Level: public static final Level Level.BAD
  Level: public static final Level Level.GOOD
  Level: public static final Level Level.NEUTRAL
  Level: public static final Level Level.NOTICE
  Level: public static final Level Level.WARNING
  PanelPage: public List<Block> PanelPage.blocks()
  PanelPage: public List<String> PanelPage.topics()
  PanelPage: public PanelPage(String,String,List<Block>,List<String>)
  PanelPage: public String PanelPage.summary()
  PanelPage: public String PanelPage.title()
  PanelPage: public final String PanelPage.toString()
  PanelPage: public final boolean PanelPage.equals(Object)
  PanelPage: public final int PanelPage.hashCode()
  PanelPage: public final record PanelPage(String title, String summary, List blocks, List topics) extends Record
  PanelPage: public static PanelPage PanelPage.of(String,String,List<Block>)
  PanelRequest: public Map<String, String> PanelRequest.parameters()
  PanelRequest: public PanelRequest(palyra.api.access.Principal,palyra.api.access.Permit,String,Map<String, String>)
  PanelRequest: public String PanelRequest.parameter(String)
  PanelRequest: public String PanelRequest.path()
  PanelRequest: public final String PanelRequest.toString()
  PanelRequest: public final boolean PanelRequest.equals(Object)
  PanelRequest: public final int PanelRequest.hashCode()
  PanelRequest: public final record PanelRequest(palyra.api.access.Principal principal, palyra.api.access.Permit permit, String path, Map parameters) extends Record
  PanelRequest: public palyra.api.access.Permit PanelRequest.permit()
  PanelRequest: public palyra.api.access.Principal PanelRequest.principal()
  PanelResult: public Level PanelResult.level()
  PanelResult: public PanelResult(Level,String,String)
  PanelResult: public String PanelResult.message()
  PanelResult: public String PanelResult.path()
  PanelResult: public final String PanelResult.toString()
  PanelResult: public final boolean PanelResult.equals(Object)
  PanelResult: public final int PanelResult.hashCode()
  PanelResult: public final record PanelResult(Level level, String message, String path) extends Record
  PanelResult: public static PanelResult PanelResult.done(String,String)
  PanelSpec$Section: public static PanelSpec$Section PanelSpec$Section.valueOf(String)
  PanelSpec$Section: public static PanelSpec$Section[] PanelSpec$Section.values()
  PanelSpec$Section: public static final PanelSpec$Section PanelSpec$Section.CONTROL
  PanelSpec$Section: public static final PanelSpec$Section PanelSpec$Section.SYSTEM
  PanelSpec$Section: public static final PanelSpec$Section PanelSpec$Section.WORK
  PanelSpec$Section: public static final enum PanelSpec$Section extends Enum<PanelSpec$Section>
  PanelSpec: public PanelSpec$Section PanelSpec.section()
  PanelSpec: public PanelSpec(String,String,PanelSpec$Section,int,String)
  PanelSpec: public String PanelSpec.action()
  PanelSpec: public String PanelSpec.id()
  PanelSpec: public String PanelSpec.title()
  PanelSpec: public final String PanelSpec.toString()
  PanelSpec: public final boolean PanelSpec.equals(Object)
  PanelSpec: public final int PanelSpec.hashCode()
  PanelSpec: public final record PanelSpec(String id, String title, PanelSpec$Section section, int order, String action) extends Record
  PanelSpec: public int PanelSpec.order()
  PanelSubmission: public Map<String, String> PanelSubmission.fields()
  PanelSubmission: public PanelSubmission(palyra.api.access.Principal,palyra.api.access.Permit,String,String,Map<String, String>)
  PanelSubmission: public String PanelSubmission.field(String)
  PanelSubmission: public String PanelSubmission.form()
  PanelSubmission: public String PanelSubmission.path()
  PanelSubmission: public String PanelSubmission.toString()
  PanelSubmission: public final boolean PanelSubmission.equals(Object)
  PanelSubmission: public final int PanelSubmission.hashCode()
  PanelSubmission: public final record PanelSubmission(palyra.api.access.Principal principal, palyra.api.access.Permit permit, String path, String form, Map fields) extends Record
  PanelSubmission: public palyra.api.access.Permit PanelSubmission.permit()
  PanelSubmission: public palyra.api.access.Principal PanelSubmission.principal()
  Value$Code: public String Value$Code.text()
  Value$Code: public Value$Code(String)
  Value$Code: public final String Value$Code.toString()
  Value$Code: public final boolean Value$Code.equals(Object)
  Value$Code: public final int Value$Code.hashCode()
  Value$Code: public static final record Value$Code(String text) extends Record implements Value
  Value$Link: public String Value$Link.path()
  Value$Link: public String Value$Link.text()
  Value$Link: public Value$Link(String,String)
  Value$Link: public final String Value$Link.toString()
  Value$Link: public final boolean Value$Link.equals(Object)
  Value$Link: public final int Value$Link.hashCode()
  Value$Link: public static final record Value$Link(String text, String path) extends Record implements Value
  Value$State: public Level Value$State.level()
  Value$State: public String Value$State.text()
  Value$State: public Value$State(Level,String)
  Value$State: public final String Value$State.toString()
  Value$State: public final boolean Value$State.equals(Object)
  Value$State: public final int Value$State.hashCode()
  Value$State: public static final record Value$State(Level level, String text) extends Record implements Value
  Value$Text: public String Value$Text.text()
  Value$Text: public Value$Text(String)
  Value$Text: public final String Value$Text.toString()
  Value$Text: public final boolean Value$Text.equals(Object)
  Value$Text: public final int Value$Text.hashCode()
  Value$Text: public static final record Value$Text(String text) extends Record implements Value
  Value$Time: public Value$Time(long)
  Value$Time: public final String Value$Time.toString()
  Value$Time: public final boolean Value$Time.equals(Object)
  Value$Time: public final int Value$Time.hashCode()
  Value$Time: public long Value$Time.unixMillis()
  Value$Time: public static final record Value$Time(long unixMillis) extends Record implements Value
  Value: public abstract sealed interface Value permits Value$Code, Value$Link, Value$State, Value$Text, Value$Time
  Value: public static Value Value.code(String)
  Value: public static Value Value.text(String)
package palyra.api.core.access 9.2.0
  Access: public abstract Authorized Access.authorize(AccessRequest)
  Access: public abstract IssuedToken Access.createToken(Authorized,String,String,Set<String>,Set<String>,long)
  Access: public abstract List<TokenView> Access.tokens(palyra.api.access.Permit)
  Access: public abstract Set<String> Access.breakGlassActions()
  Access: public abstract TokenView Access.revokeToken(Authorized,String)
  Access: public abstract ToolPolicyDecision Access.decideTool(ToolPolicyRequest)
  Access: public abstract interface Access
  Access: public abstract palyra.api.access.Permit Access.authorizeAndRecord(AccessRequest)
  Access: public abstract palyra.api.access.Permit Access.authorizeRead(AccessRequest)
  Access: public abstract palyra.api.access.Principal Access.authenticate(Credential)
  Access: public abstract palyra.api.access.Principal Access.speakFor(palyra.api.access.Principal,String)
  Access: public default Optional<String> Access.recordWaits(palyra.api.access.Permit)
  Access: public default boolean Access.wouldAllow(AccessRequest)
  AccessRequest: public AccessRequest(palyra.api.access.Principal,String,String,String,Map<String, String>)
  AccessRequest: public Map<String, String> AccessRequest.facts()
  AccessRequest: public String AccessRequest.action()
  AccessRequest: public String AccessRequest.owner()
  AccessRequest: public String AccessRequest.resource()
  AccessRequest: public final String AccessRequest.toString()
  AccessRequest: public final boolean AccessRequest.equals(Object)
  AccessRequest: public final int AccessRequest.hashCode()
  AccessRequest: public final record AccessRequest(palyra.api.access.Principal principal, String action, String resource, String owner, Map facts) extends Record
  AccessRequest: public palyra.api.access.Principal AccessRequest.principal()
  AccessRequest: public static AccessRequest AccessRequest.of(palyra.api.access.Principal,String,String)
  AccountView$Passkey: public AccountView$Passkey(String,String,long,long)
  AccountView$Passkey: public String AccountView$Passkey.id()
  AccountView$Passkey: public String AccountView$Passkey.label()
  AccountView$Passkey: public final String AccountView$Passkey.toString()
  AccountView$Passkey: public final boolean AccountView$Passkey.equals(Object)
  AccountView$Passkey: public final int AccountView$Passkey.hashCode()
  AccountView$Passkey: public long AccountView$Passkey.createdAtMillis()
  AccountView$Passkey: public long AccountView$Passkey.usedAtMillis()
  AccountView$Passkey: public static final record AccountView$Passkey(String id, String label, long createdAtMillis, long usedAtMillis) extends Record
  AccountView: public AccountView(String,String,Set<String>,boolean,boolean,List<AccountView$Passkey>,long,long)
  AccountView: public List<AccountView$Passkey> AccountView.passkeys()
  AccountView: public Set<String> AccountView.groups()
  AccountView: public String AccountView.name()
  AccountView: public String AccountView.principal()
  AccountView: public boolean AccountView.disabled()
  AccountView: public boolean AccountView.hasFactor()
  AccountView: public boolean AccountView.hasPassword()
  AccountView: public final String AccountView.toString()
  AccountView: public final boolean AccountView.equals(Object)
  AccountView: public final int AccountView.hashCode()
  AccountView: public final record AccountView(String name, String principal, Set groups, boolean disabled, boolean hasPassword, List passkeys, long invitedUntilMillis, long createdAtMillis) extends Record
  AccountView: public long AccountView.createdAtMillis()
  AccountView: public long AccountView.invitedUntilMillis()
  Accounts: public abstract AccountView Accounts.account(palyra.api.access.Permit)
  Accounts: public abstract AccountView Accounts.change(Authorized,String,NewFactor,SignInClient)
  Accounts: public abstract AccountView Accounts.invited(String)
  Accounts: public abstract AccountView Accounts.removePasskey(Authorized,String)
  Accounts: public abstract AccountView Accounts.renamePasskey(Authorized,String,String)
  Accounts: public abstract AccountView Accounts.setDisabled(Authorized,boolean)
  Accounts: public abstract AccountView Accounts.setGroups(Authorized,Set<String>)
  Accounts: public abstract ConsoleSession Accounts.prove(String,SignInProof,SignInClient)
  Accounts: public abstract ConsoleSession Accounts.session(String,boolean)
  Accounts: public abstract Invitation Accounts.invite(Authorized,String,Set<String>)
  Accounts: public abstract IssuedSession Accounts.accept(String,NewFactor,SignInClient,SessionTimes)
  Accounts: public abstract IssuedSession Accounts.signIn(SignInProof,SignInClient,SessionTimes)
  Accounts: public abstract List<AccountView> Accounts.accounts(palyra.api.access.Permit)
  Accounts: public abstract List<ConsoleSession> Accounts.sessions(palyra.api.access.Permit)
  Accounts: public abstract PasskeyChallenge Accounts.challenge(SignInClient)
  Accounts: public abstract PasskeyChallenge Accounts.challengeFor(String,boolean,SignInClient)
  Accounts: public abstract PasskeyChallenge Accounts.challengeForInvited(String,SignInClient)
  Accounts: public abstract boolean Accounts.empty()
  Accounts: public abstract interface Accounts
  Accounts: public abstract void Accounts.endSession(Authorized,String)
  Accounts: public abstract void Accounts.remove(Authorized)
  ApprovalTerms: public ApprovalTerms(Set<String>,boolean,long,Set<palyra.api.approval.ApprovalScope>,int)
  ApprovalTerms: public ApprovalTerms(Set<String>,boolean,long,Set<palyra.api.approval.ApprovalScope>,int,long,Set<String>)
  ApprovalTerms: public Set<String> ApprovalTerms.approvers()
  ApprovalTerms: public Set<String> ApprovalTerms.escalateTo()
  ApprovalTerms: public Set<palyra.api.approval.ApprovalScope> ApprovalTerms.scopes()
  ApprovalTerms: public boolean ApprovalTerms.others()
  ApprovalTerms: public final String ApprovalTerms.toString()
  ApprovalTerms: public final boolean ApprovalTerms.equals(Object)
  ApprovalTerms: public final int ApprovalTerms.hashCode()
  ApprovalTerms: public final record ApprovalTerms(Set approvers, boolean others, long ttlMillis, Set scopes, int quorum, long remindMillis, Set escalateTo) extends Record
  ApprovalTerms: public int ApprovalTerms.quorum()
  ApprovalTerms: public long ApprovalTerms.remindMillis()
  ApprovalTerms: public long ApprovalTerms.reminderMillis()
  ApprovalTerms: public long ApprovalTerms.ttlMillis()
  ApprovalTerms: public static final long ApprovalTerms.DEFAULT_TTL_MILLIS
  Authorized: public Authorized(palyra.api.access.Permit,palyra.api.core.journal.Operation$Append)
  Authorized: public final String Authorized.toString()
  Authorized: public final boolean Authorized.equals(Object)
  Authorized: public final int Authorized.hashCode()
  Authorized: public final record Authorized(palyra.api.access.Permit permit, palyra.api.core.journal.Operation$Append record) extends Record
  Authorized: public palyra.api.access.Permit Authorized.permit()
  Authorized: public palyra.api.core.journal.Operation$Append Authorized.record()
  CallContext: public CallContext CallContext.about(CallFacts)
  CallContext: public CallContext CallContext.after(Spend)
  CallContext: public CallContext CallContext.withApproval(boolean,Set<String>)
  CallContext: public CallContext(String,String,Set<String>,boolean,boolean,Set<String>,CallFacts)
  CallContext: public CallContext(String,String,Set<String>,boolean,boolean,Set<String>,CallFacts,Spend)
  CallContext: public CallFacts CallContext.facts()
  CallContext: public Set<String> CallContext.approvedBy()
  CallContext: public Set<String> CallContext.groups()
  CallContext: public Spend CallContext.spend()
  CallContext: public String CallContext.channel()
  CallContext: public String CallContext.device()
  CallContext: public boolean CallContext.allowSensitive()
  CallContext: public boolean CallContext.approved()
  CallContext: public final String CallContext.toString()
  CallContext: public final boolean CallContext.equals(Object)
  CallContext: public final int CallContext.hashCode()
  CallContext: public final record CallContext(String channel, String device, Set groups, boolean allowSensitive, boolean approved, Set approvedBy, CallFacts facts, Spend spend) extends Record
  CallContext: public static CallContext CallContext.unknown()
  CallFacts: public CallFacts CallFacts.in(WorkspaceState)
  CallFacts: public CallFacts(String,String,Set<String>,int,Set<String>,Set<Integer>,Set<String>,Set<String>,Set<String>,Set<String>)
  CallFacts: public CallFacts(String,String,String,String,Set<String>,int,Set<String>,Set<Integer>,Set<String>,Set<String>,Set<String>,Set<String>)
  CallFacts: public CallFacts(String,String,String,String,Set<String>,int,Set<String>,Set<Integer>,Set<String>,Set<String>,Set<String>,Set<String>,WorkspaceState)
  CallFacts: public Set<Integer> CallFacts.ports()
  CallFacts: public Set<String> CallFacts.flags()
  CallFacts: public Set<String> CallFacts.hosts()
  CallFacts: public Set<String> CallFacts.methods()
  CallFacts: public Set<String> CallFacts.readPaths()
  CallFacts: public Set<String> CallFacts.secrets()
  CallFacts: public Set<String> CallFacts.writePaths()
  CallFacts: public String CallFacts.executable()
  CallFacts: public String CallFacts.executableSha256()
  CallFacts: public String CallFacts.subcommand()
  CallFacts: public String CallFacts.workingFolder()
  CallFacts: public WorkspaceState CallFacts.workspace()
  CallFacts: public final String CallFacts.toString()
  CallFacts: public final boolean CallFacts.equals(Object)
  CallFacts: public final int CallFacts.hashCode()
  CallFacts: public final record CallFacts(String executable, String executableSha256, String workingFolder, String subcommand, Set flags, int argumentCount, Set hosts, Set ports, Set methods, Set readPaths, Set writePaths, Set secrets, WorkspaceState workspace) extends Record
  CallFacts: public int CallFacts.argumentCount()
  CallFacts: public static CallFacts CallFacts.none()
  Confinement$Egress: public static Confinement$Egress Confinement$Egress.valueOf(String)
  Confinement$Egress: public static Confinement$Egress[] Confinement$Egress.values()
  Confinement$Egress: public static final Confinement$Egress Confinement$Egress.NONE
  Confinement$Egress: public static final Confinement$Egress Confinement$Egress.PREFLIGHT
  Confinement$Egress: public static final Confinement$Egress Confinement$Egress.STRICT
  Confinement$Egress: public static final enum Confinement$Egress extends Enum<Confinement$Egress>
  Confinement$Tier: public static Confinement$Tier Confinement$Tier.valueOf(String)
  Confinement$Tier: public static Confinement$Tier[] Confinement$Tier.values()
  Confinement$Tier: public static final Confinement$Tier Confinement$Tier.A
  Confinement$Tier: public static final Confinement$Tier Confinement$Tier.B
  Confinement$Tier: public static final Confinement$Tier Confinement$Tier.C
  Confinement$Tier: public static final enum Confinement$Tier extends Enum<Confinement$Tier>
  Confinement: public Confinement Confinement.and(Confinement)
  Confinement: public Confinement$Egress Confinement.egress()
  Confinement: public Confinement$Tier Confinement.tier()
  Confinement: public Confinement(Confinement$Tier,Confinement$Egress)
  Confinement: public final String Confinement.toString()
  Confinement: public final boolean Confinement.equals(Object)
  Confinement: public final int Confinement.hashCode()
  Confinement: public final record Confinement(Confinement$Tier tier, Confinement$Egress egress) extends Record
  Confinement: public static final Confinement Confinement.STRICTEST
  ConsoleSession: public ConsoleSession(String,String,palyra.api.access.Principal,String,String,String,long,long,long,long)
  ConsoleSession: public String ConsoleSession.account()
  ConsoleSession: public String ConsoleSession.address()
  ConsoleSession: public String ConsoleSession.agent()
  ConsoleSession: public String ConsoleSession.factor()
  ConsoleSession: public String ConsoleSession.sessionId()
  ConsoleSession: public final String ConsoleSession.toString()
  ConsoleSession: public final boolean ConsoleSession.equals(Object)
  ConsoleSession: public final int ConsoleSession.hashCode()
  ConsoleSession: public final record ConsoleSession(String sessionId, String account, palyra.api.access.Principal principal, String factor, String address, String agent, long createdAtMillis, long seenAtMillis, long provenAtMillis, long expiresAtMillis) extends Record
  ConsoleSession: public long ConsoleSession.createdAtMillis()
  ConsoleSession: public long ConsoleSession.expiresAtMillis()
  ConsoleSession: public long ConsoleSession.provenAtMillis()
  ConsoleSession: public long ConsoleSession.seenAtMillis()
  ConsoleSession: public palyra.api.access.Principal ConsoleSession.principal()
  Credential$ApiToken: public Credential$ApiToken(String)
  Credential$ApiToken: public String Credential$ApiToken.secret()
  Credential$ApiToken: public String Credential$ApiToken.toString()
  Credential$ApiToken: public final boolean Credential$ApiToken.equals(Object)
  Credential$ApiToken: public final int Credential$ApiToken.hashCode()
  Credential$ApiToken: public static final record Credential$ApiToken(String secret) extends Record implements Credential
  Credential$ClientCertificate: public Credential$ClientCertificate(String,String)
  Credential$ClientCertificate: public String Credential$ClientCertificate.sha256()
  Credential$ClientCertificate: public String Credential$ClientCertificate.subject()
  Credential$ClientCertificate: public final String Credential$ClientCertificate.toString()
  Credential$ClientCertificate: public final boolean Credential$ClientCertificate.equals(Object)
  Credential$ClientCertificate: public final int Credential$ClientCertificate.hashCode()
  Credential$ClientCertificate: public static final record Credential$ClientCertificate(String sha256, String subject) extends Record implements Credential
  Credential$LocalPeer: public Credential$LocalPeer(String,long)
  Credential$LocalPeer: public String Credential$LocalPeer.user()
  Credential$LocalPeer: public final String Credential$LocalPeer.toString()
  Credential$LocalPeer: public final boolean Credential$LocalPeer.equals(Object)
  Credential$LocalPeer: public final int Credential$LocalPeer.hashCode()
  Credential$LocalPeer: public long Credential$LocalPeer.uid()
  Credential$LocalPeer: public static final record Credential$LocalPeer(String user, long uid) extends Record implements Credential
  Credential: public abstract sealed interface Credential permits Credential$ApiToken, Credential$ClientCertificate, Credential$LocalPeer
  Invitation: public AccountView Invitation.account()
  Invitation: public Invitation(AccountView,String,long)
  Invitation: public String Invitation.secret()
  Invitation: public String Invitation.toString()
  Invitation: public final boolean Invitation.equals(Object)
  Invitation: public final int Invitation.hashCode()
  Invitation: public final record Invitation(AccountView account, String secret, long expiresAtMillis) extends Record
  Invitation: public long Invitation.expiresAtMillis()
  IssuedSession: public ConsoleSession IssuedSession.session()
  IssuedSession: public IssuedSession(ConsoleSession,String,String)
  IssuedSession: public String IssuedSession.device()
  IssuedSession: public String IssuedSession.secret()
  IssuedSession: public String IssuedSession.toString()
  IssuedSession: public final boolean IssuedSession.equals(Object)
  IssuedSession: public final int IssuedSession.hashCode()
  IssuedSession: public final record IssuedSession(ConsoleSession session, String secret, String device) extends Record
  IssuedToken: public IssuedToken(TokenView,String)
  IssuedToken: public String IssuedToken.secret()
  IssuedToken: public String IssuedToken.toString()
  IssuedToken: public TokenView IssuedToken.token()
  IssuedToken: public final boolean IssuedToken.equals(Object)
  IssuedToken: public final int IssuedToken.hashCode()
  IssuedToken: public final record IssuedToken(TokenView token, String secret) extends Record
  NewFactor$Passkey: public NewFactor$Passkey(String,String,String)
  NewFactor$Passkey: public String NewFactor$Passkey.attestationObject()
  NewFactor$Passkey: public String NewFactor$Passkey.clientData()
  NewFactor$Passkey: public String NewFactor$Passkey.label()
  NewFactor$Passkey: public final String NewFactor$Passkey.toString()
  NewFactor$Passkey: public final boolean NewFactor$Passkey.equals(Object)
  NewFactor$Passkey: public final int NewFactor$Passkey.hashCode()
  NewFactor$Passkey: public static final record NewFactor$Passkey(String label, String clientData, String attestationObject) extends Record implements NewFactor
  NewFactor$Password: public NewFactor$Password(String)
  NewFactor$Password: public String NewFactor$Password.password()
  NewFactor$Password: public String NewFactor$Password.toString()
  NewFactor$Password: public final boolean NewFactor$Password.equals(Object)
  NewFactor$Password: public final int NewFactor$Password.hashCode()
  NewFactor$Password: public static final record NewFactor$Password(String password) extends Record implements NewFactor
  NewFactor: public abstract sealed interface NewFactor permits NewFactor$Passkey, NewFactor$Password
  PasskeyChallenge: public List<String> PasskeyChallenge.known()
  PasskeyChallenge: public PasskeyChallenge(String,String,String,String,List<String>)
  PasskeyChallenge: public String PasskeyChallenge.challenge()
  PasskeyChallenge: public String PasskeyChallenge.relyingParty()
  PasskeyChallenge: public String PasskeyChallenge.userId()
  PasskeyChallenge: public String PasskeyChallenge.userName()
  PasskeyChallenge: public final String PasskeyChallenge.toString()
  PasskeyChallenge: public final boolean PasskeyChallenge.equals(Object)
  PasskeyChallenge: public final int PasskeyChallenge.hashCode()
  PasskeyChallenge: public final record PasskeyChallenge(String challenge, String relyingParty, String userId, String userName, List known) extends Record
  PolicyDecision$Confirmation: public static PolicyDecision$Confirmation PolicyDecision$Confirmation.valueOf(String)
  PolicyDecision$Confirmation: public static PolicyDecision$Confirmation[] PolicyDecision$Confirmation.values()
  PolicyDecision$Confirmation: public static final PolicyDecision$Confirmation PolicyDecision$Confirmation.ABSENT
  PolicyDecision$Confirmation: public static final PolicyDecision$Confirmation PolicyDecision$Confirmation.CONFIRMED
  PolicyDecision$Confirmation: public static final PolicyDecision$Confirmation PolicyDecision$Confirmation.NOT_NEEDED
  PolicyDecision$Confirmation: public static final PolicyDecision$Confirmation PolicyDecision$Confirmation.REFUSED
  PolicyDecision$Confirmation: public static final enum PolicyDecision$Confirmation extends Enum<PolicyDecision$Confirmation>
  PolicyDecision$Outcome: public static PolicyDecision$Outcome PolicyDecision$Outcome.valueOf(String)
  PolicyDecision$Outcome: public static PolicyDecision$Outcome[] PolicyDecision$Outcome.values()
  PolicyDecision$Outcome: public static final PolicyDecision$Outcome PolicyDecision$Outcome.ALLOW
  PolicyDecision$Outcome: public static final PolicyDecision$Outcome PolicyDecision$Outcome.ALLOW_IF_APPROVED
  PolicyDecision$Outcome: public static final PolicyDecision$Outcome PolicyDecision$Outcome.DENY
  PolicyDecision$Outcome: public static final enum PolicyDecision$Outcome extends Enum<PolicyDecision$Outcome>
  PolicyDecision: public Confinement PolicyDecision.confinement()
  PolicyDecision: public List<String> PolicyDecision.missing()
  PolicyDecision: public List<String> PolicyDecision.policyIds()
  PolicyDecision: public Optional<ApprovalTerms> PolicyDecision.approval()
  PolicyDecision: public PolicyDecision PolicyDecision.withConfirmation(PolicyDecision$Confirmation)
  PolicyDecision: public PolicyDecision PolicyDecision.withMissing(List<String>)
  PolicyDecision: public PolicyDecision$Confirmation PolicyDecision.confirmation()
  PolicyDecision: public PolicyDecision$Outcome PolicyDecision.outcome()
  PolicyDecision: public PolicyDecision(PolicyDecision$Outcome,String,String,String,List<String>,List<String>,Optional<ApprovalTerms>,Confinement,PolicyDecision$Confirmation,String,long,String)
  PolicyDecision: public String PolicyDecision.evidenceJson()
  PolicyDecision: public String PolicyDecision.operatorReason()
  PolicyDecision: public String PolicyDecision.reason()
  PolicyDecision: public String PolicyDecision.reasonCode()
  PolicyDecision: public String PolicyDecision.setSha256()
  PolicyDecision: public final String PolicyDecision.toString()
  PolicyDecision: public final boolean PolicyDecision.equals(Object)
  PolicyDecision: public final int PolicyDecision.hashCode()
  PolicyDecision: public final record PolicyDecision(PolicyDecision$Outcome outcome, String reasonCode, String reason, String operatorReason, List policyIds, List missing, Optional approval, Confinement confinement, PolicyDecision$Confirmation confirmation, String setSha256, long epoch, String evidenceJson) extends Record
  PolicyDecision: public long PolicyDecision.epoch()
  SessionTimes: public SessionTimes(long,long)
  SessionTimes: public final String SessionTimes.toString()
  SessionTimes: public final boolean SessionTimes.equals(Object)
  SessionTimes: public final int SessionTimes.hashCode()
  SessionTimes: public final record SessionTimes(long idleMillis, long lifeMillis) extends Record
  SessionTimes: public long SessionTimes.idleMillis()
  SessionTimes: public long SessionTimes.lifeMillis()
  SignInClient: public SignInClient(String,String,String,String)
  SignInClient: public String SignInClient.address()
  SignInClient: public String SignInClient.agent()
  SignInClient: public String SignInClient.device()
  SignInClient: public String SignInClient.origin()
  SignInClient: public String SignInClient.toString()
  SignInClient: public final boolean SignInClient.equals(Object)
  SignInClient: public final int SignInClient.hashCode()
  SignInClient: public final record SignInClient(String address, String agent, String origin, String device) extends Record
  SignInProof$Passkey: public SignInProof$Passkey(String,String,String,String)
  SignInProof$Passkey: public String SignInProof$Passkey.authenticatorData()
  SignInProof$Passkey: public String SignInProof$Passkey.clientData()
  SignInProof$Passkey: public String SignInProof$Passkey.credentialId()
  SignInProof$Passkey: public String SignInProof$Passkey.signature()
  SignInProof$Passkey: public final String SignInProof$Passkey.toString()
  SignInProof$Passkey: public final boolean SignInProof$Passkey.equals(Object)
  SignInProof$Passkey: public final int SignInProof$Passkey.hashCode()
  SignInProof$Passkey: public static final record SignInProof$Passkey(String credentialId, String clientData, String authenticatorData, String signature) extends Record implements SignInProof
  SignInProof$Password: public SignInProof$Password(String,String)
  SignInProof$Password: public String SignInProof$Password.account()
  SignInProof$Password: public String SignInProof$Password.password()
  SignInProof$Password: public String SignInProof$Password.toString()
  SignInProof$Password: public final boolean SignInProof$Password.equals(Object)
  SignInProof$Password: public final int SignInProof$Password.hashCode()
  SignInProof$Password: public static final record SignInProof$Password(String account, String password) extends Record implements SignInProof
  SignInProof: public abstract sealed interface SignInProof permits SignInProof$Passkey, SignInProof$Password
  Spend: public Map<String, String> Spend.facts()
  Spend: public Spend(long,long,long,long)
  Spend: public final String Spend.toString()
  Spend: public final boolean Spend.equals(Object)
  Spend: public final int Spend.hashCode()
  Spend: public final record Spend(long tokens, long costMicros, long calls, long percent) extends Record
  Spend: public long Spend.calls()
  Spend: public long Spend.costMicros()
  Spend: public long Spend.percent()
  Spend: public long Spend.tokens()
  Spend: public static final List<String> Spend.FACTS
  Spend: public static final Spend Spend.NONE
  TokenView: public Set<String> TokenView.groups()
  TokenView: public Set<String> TokenView.scopes()
  TokenView: public String TokenView.label()
  TokenView: public String TokenView.principal()
  TokenView: public String TokenView.tokenId()
  TokenView: public TokenView(String,String,String,Set<String>,Set<String>,long,long,long)
  TokenView: public final String TokenView.toString()
  TokenView: public final boolean TokenView.equals(Object)
  TokenView: public final int TokenView.hashCode()
  TokenView: public final record TokenView(String tokenId, String label, String principal, Set groups, Set scopes, long createdAtMillis, long expiresAtMillis, long revokedAtMillis) extends Record
  TokenView: public long TokenView.createdAtMillis()
  TokenView: public long TokenView.expiresAtMillis()
  TokenView: public long TokenView.revokedAtMillis()
  ToolPolicyDecision: public List<String> ToolPolicyDecision.policyIds()
  ToolPolicyDecision: public Optional<PolicyDecision> ToolPolicyDecision.policy()
  ToolPolicyDecision: public String ToolPolicyDecision.reason()
  ToolPolicyDecision: public String ToolPolicyDecision.reasonCode()
  ToolPolicyDecision: public String ToolPolicyDecision.snapshotJson()
  ToolPolicyDecision: public String ToolPolicyDecision.source()
  ToolPolicyDecision: public ToolPolicyDecision(palyra.api.tape.TapeEvent$Verdict,String,String,String,List<String>,String)
  ToolPolicyDecision: public ToolPolicyDecision(palyra.api.tape.TapeEvent$Verdict,String,String,String,List<String>,String,Optional<PolicyDecision>)
  ToolPolicyDecision: public final String ToolPolicyDecision.toString()
  ToolPolicyDecision: public final boolean ToolPolicyDecision.equals(Object)
  ToolPolicyDecision: public final int ToolPolicyDecision.hashCode()
  ToolPolicyDecision: public final record ToolPolicyDecision(palyra.api.tape.TapeEvent$Verdict verdict, String reasonCode, String reason, String source, List policyIds, String snapshotJson, Optional policy) extends Record
  ToolPolicyDecision: public palyra.api.tape.TapeEvent$Verdict ToolPolicyDecision.verdict()
  ToolPolicyRequest: public CallContext ToolPolicyRequest.situation()
  ToolPolicyRequest: public List<palyra.api.tool.ToolDescriptor> ToolPolicyRequest.offered()
  ToolPolicyRequest: public Set<String> ToolPolicyRequest.agentTools()
  ToolPolicyRequest: public String ToolPolicyRequest.agentId()
  ToolPolicyRequest: public String ToolPolicyRequest.agentProfile()
  ToolPolicyRequest: public String ToolPolicyRequest.callId()
  ToolPolicyRequest: public String ToolPolicyRequest.inputJson()
  ToolPolicyRequest: public String ToolPolicyRequest.principal()
  ToolPolicyRequest: public String ToolPolicyRequest.runId()
  ToolPolicyRequest: public String ToolPolicyRequest.sessionId()
  ToolPolicyRequest: public String ToolPolicyRequest.toolName()
  ToolPolicyRequest: public ToolPolicyRequest ToolPolicyRequest.withProfile(String)
  ToolPolicyRequest: public ToolPolicyRequest ToolPolicyRequest.withSituation(CallContext)
  ToolPolicyRequest: public ToolPolicyRequest ToolPolicyRequest.withTool(palyra.api.tool.ToolDescriptor,String)
  ToolPolicyRequest: public ToolPolicyRequest(String,String,boolean,String,String,String,String,palyra.api.tool.ToolDescriptor,String,Set<String>,int,int)
  ToolPolicyRequest: public ToolPolicyRequest(String,String,boolean,String,String,String,String,palyra.api.tool.ToolDescriptor,String,Set<String>,int,int,CallContext)
  ToolPolicyRequest: public ToolPolicyRequest(String,String,boolean,String,String,String,String,palyra.api.tool.ToolDescriptor,String,Set<String>,int,int,CallContext,List<palyra.api.tool.ToolDescriptor>)
  ToolPolicyRequest: public ToolPolicyRequest(String,String,boolean,String,String,String,String,palyra.api.tool.ToolDescriptor,String,Set<String>,int,int,CallContext,List<palyra.api.tool.ToolDescriptor>,String)
  ToolPolicyRequest: public boolean ToolPolicyRequest.testAgent()
  ToolPolicyRequest: public final String ToolPolicyRequest.toString()
  ToolPolicyRequest: public final boolean ToolPolicyRequest.equals(Object)
  ToolPolicyRequest: public final int ToolPolicyRequest.hashCode()
  ToolPolicyRequest: public final record ToolPolicyRequest(String principal, String agentId, boolean testAgent, String runId, String sessionId, String callId, String toolName, palyra.api.tool.ToolDescriptor descriptor, String inputJson, Set agentTools, int budgetLeft, int maxCallsPerRun, CallContext situation, List offered, String agentProfile) extends Record
  ToolPolicyRequest: public int ToolPolicyRequest.budgetLeft()
  ToolPolicyRequest: public int ToolPolicyRequest.maxCallsPerRun()
  ToolPolicyRequest: public palyra.api.tool.ToolDescriptor ToolPolicyRequest.descriptor()
  WorkspaceState: public Set<String> WorkspaceState.running()
  WorkspaceState: public String WorkspaceState.sha256()
  WorkspaceState: public WorkspaceState(String,int,Set<String>)
  WorkspaceState: public boolean WorkspaceState.known()
  WorkspaceState: public final String WorkspaceState.toString()
  WorkspaceState: public final boolean WorkspaceState.equals(Object)
  WorkspaceState: public final int WorkspaceState.hashCode()
  WorkspaceState: public final record WorkspaceState(String sha256, int entries, Set running) extends Record
  WorkspaceState: public int WorkspaceState.entries()
  WorkspaceState: public static final WorkspaceState WorkspaceState.NONE
package palyra.api.core.command 1.0.0
  CommandResult: public CommandResult(int,byte[],String,boolean)
  CommandResult: public String CommandResult.error()
  CommandResult: public String CommandResult.text()
  CommandResult: public boolean CommandResult.truncated()
  CommandResult: public byte[] CommandResult.output()
  CommandResult: public final String CommandResult.toString()
  CommandResult: public final boolean CommandResult.equals(Object)
  CommandResult: public final int CommandResult.hashCode()
  CommandResult: public final record CommandResult(int exitCode, byte[] output, String error, boolean truncated) extends Record
  CommandResult: public int CommandResult.exitCode()
  CommandRunner$CommandExecution: public abstract CommandResult CommandRunner$CommandExecution.await()
  CommandRunner$CommandExecution: public abstract static interface CommandRunner$CommandExecution
  CommandRunner$CommandExecution: public abstract void CommandRunner$CommandExecution.stop()
  CommandRunner$Limits: public CommandRunner$Limits(int,long)
  CommandRunner$Limits: public final String CommandRunner$Limits.toString()
  CommandRunner$Limits: public final boolean CommandRunner$Limits.equals(Object)
  CommandRunner$Limits: public final int CommandRunner$Limits.hashCode()
  CommandRunner$Limits: public int CommandRunner$Limits.outputBytes()
  CommandRunner$Limits: public long CommandRunner$Limits.timeMillis()
  CommandRunner$Limits: public static final CommandRunner$Limits CommandRunner$Limits.USUAL
  CommandRunner$Limits: public static final record CommandRunner$Limits(int outputBytes, long timeMillis) extends Record
  CommandRunner: public abstract CommandRunner$CommandExecution CommandRunner.start(palyra.api.access.Principal,List<String>,byte[],CommandRunner$Limits)
  CommandRunner: public abstract interface CommandRunner
package palyra.api.core.egress 3.1.0
  EgressClient: public abstract EgressResponse EgressClient.send(EgressRequest)
  EgressClient: public abstract interface EgressClient
  EgressConnection: public abstract Optional<String> EgressConnection.closed()
  EgressConnection: public abstract String EgressConnection.address()
  EgressConnection: public abstract String EgressConnection.applicationProtocol()
  EgressConnection: public abstract interface EgressConnection implements AutoCloseable
  EgressConnection: public abstract java.io.InputStream EgressConnection.in()
  EgressConnection: public abstract java.io.OutputStream EgressConnection.out()
  EgressConnection: public abstract void EgressConnection.close()
  EgressConnection: public abstract void EgressConnection.upgrade()
  EgressContext: public EgressContext(String,Set<String>,String,String,String,String)
  EgressContext: public Set<String> EgressContext.groups()
  EgressContext: public String EgressContext.agent()
  EgressContext: public String EgressContext.callId()
  EgressContext: public String EgressContext.principal()
  EgressContext: public String EgressContext.purpose()
  EgressContext: public String EgressContext.runId()
  EgressContext: public final String EgressContext.toString()
  EgressContext: public final boolean EgressContext.equals(Object)
  EgressContext: public final int EgressContext.hashCode()
  EgressContext: public final record EgressContext(String principal, Set groups, String agent, String runId, String callId, String purpose) extends Record
  EgressProxies$AllowedHost: public EgressProxies$AllowedHost(String,int)
  EgressProxies$AllowedHost: public String EgressProxies$AllowedHost.host()
  EgressProxies$AllowedHost: public boolean EgressProxies$AllowedHost.covers(EgressProxies$AllowedHost)
  EgressProxies$AllowedHost: public final String EgressProxies$AllowedHost.toString()
  EgressProxies$AllowedHost: public final boolean EgressProxies$AllowedHost.equals(Object)
  EgressProxies$AllowedHost: public final int EgressProxies$AllowedHost.hashCode()
  EgressProxies$AllowedHost: public int EgressProxies$AllowedHost.port()
  EgressProxies$AllowedHost: public static EgressProxies$AllowedHost EgressProxies$AllowedHost.parse(String)
  EgressProxies$AllowedHost: public static final record EgressProxies$AllowedHost(String host, int port) extends Record
  EgressProxies$EgressProxy: public abstract List<String> EgressProxies$EgressProxy.refusals()
  EgressProxies$EgressProxy: public abstract String EgressProxies$EgressProxy.folder()
  EgressProxies$EgressProxy: public abstract boolean EgressProxies$EgressProxy.alive()
  EgressProxies$EgressProxy: public abstract static interface EgressProxies$EgressProxy implements AutoCloseable
  EgressProxies$EgressProxy: public abstract void EgressProxies$EgressProxy.close()
  EgressProxies: public abstract EgressProxies$EgressProxy EgressProxies.open(EgressContext,List<EgressProxies$AllowedHost>,long)
  EgressProxies: public abstract interface EgressProxies
  EgressRequest$EgressLimits: public EgressRequest$EgressLimits(int,int,int,int,long,int,Set<Integer>)
  EgressRequest$EgressLimits: public Set<Integer> EgressRequest$EgressLimits.ports()
  EgressRequest$EgressLimits: public final String EgressRequest$EgressLimits.toString()
  EgressRequest$EgressLimits: public final boolean EgressRequest$EgressLimits.equals(Object)
  EgressRequest$EgressLimits: public final int EgressRequest$EgressLimits.hashCode()
  EgressRequest$EgressLimits: public int EgressRequest$EgressLimits.connectMillis()
  EgressRequest$EgressLimits: public int EgressRequest$EgressLimits.idleMillis()
  EgressRequest$EgressLimits: public int EgressRequest$EgressLimits.maxRedirects()
  EgressRequest$EgressLimits: public int EgressRequest$EgressLimits.responseMillis()
  EgressRequest$EgressLimits: public int EgressRequest$EgressLimits.totalMillis()
  EgressRequest$EgressLimits: public long EgressRequest$EgressLimits.maxBytes()
  EgressRequest$EgressLimits: public static final EgressRequest$EgressLimits EgressRequest$EgressLimits.DEFAULT
  EgressRequest$EgressLimits: public static final record EgressRequest$EgressLimits(int connectMillis, int responseMillis, int totalMillis, int idleMillis, long maxBytes, int maxRedirects, Set ports) extends Record
  EgressRequest: public EgressContext EgressRequest.who()
  EgressRequest: public EgressRequest$EgressLimits EgressRequest.limits()
  EgressRequest: public EgressRequest(EgressContext,String,String,Map<String, String>,Map<String, String>,byte[],EgressRequest$EgressLimits)
  EgressRequest: public Map<String, String> EgressRequest.headers()
  EgressRequest: public Map<String, String> EgressRequest.secretHeaders()
  EgressRequest: public String EgressRequest.method()
  EgressRequest: public String EgressRequest.toString()
  EgressRequest: public String EgressRequest.url()
  EgressRequest: public byte[] EgressRequest.body()
  EgressRequest: public final boolean EgressRequest.equals(Object)
  EgressRequest: public final int EgressRequest.hashCode()
  EgressRequest: public final record EgressRequest(EgressContext who, String method, String url, Map headers, Map secretHeaders, byte[] body, EgressRequest$EgressLimits limits) extends Record
  EgressRequest: public static EgressRequest EgressRequest.get(EgressContext,String)
  EgressRequest: public static final List<String> EgressRequest.RESERVED_HEADERS
  EgressResponse: public EgressResponse(int,Map<String, List<String>>,String,String,java.io.InputStream)
  EgressResponse: public Map<String, List<String>> EgressResponse.headers()
  EgressResponse: public String EgressResponse.address()
  EgressResponse: public String EgressResponse.url()
  EgressResponse: public final String EgressResponse.toString()
  EgressResponse: public final boolean EgressResponse.equals(Object)
  EgressResponse: public final int EgressResponse.hashCode()
  EgressResponse: public final record EgressResponse(int status, Map headers, String url, String address, java.io.InputStream body) extends Record implements AutoCloseable
  EgressResponse: public int EgressResponse.status()
  EgressResponse: public java.io.InputStream EgressResponse.body()
  EgressResponse: public void EgressResponse.close()
  EgressTunnelRequest$Security: public static EgressTunnelRequest$Security EgressTunnelRequest$Security.valueOf(String)
  EgressTunnelRequest$Security: public static EgressTunnelRequest$Security[] EgressTunnelRequest$Security.values()
  EgressTunnelRequest$Security: public static final EgressTunnelRequest$Security EgressTunnelRequest$Security.PLAIN
  EgressTunnelRequest$Security: public static final EgressTunnelRequest$Security EgressTunnelRequest$Security.STARTTLS
  EgressTunnelRequest$Security: public static final EgressTunnelRequest$Security EgressTunnelRequest$Security.TLS
  EgressTunnelRequest$Security: public static final enum EgressTunnelRequest$Security extends Enum<EgressTunnelRequest$Security>
  EgressTunnelRequest$TunnelLimits: public EgressTunnelRequest$TunnelLimits(int,int,long,long)
  EgressTunnelRequest$TunnelLimits: public final String EgressTunnelRequest$TunnelLimits.toString()
  EgressTunnelRequest$TunnelLimits: public final boolean EgressTunnelRequest$TunnelLimits.equals(Object)
  EgressTunnelRequest$TunnelLimits: public final int EgressTunnelRequest$TunnelLimits.hashCode()
  EgressTunnelRequest$TunnelLimits: public int EgressTunnelRequest$TunnelLimits.connectMillis()
  EgressTunnelRequest$TunnelLimits: public int EgressTunnelRequest$TunnelLimits.idleMillis()
  EgressTunnelRequest$TunnelLimits: public long EgressTunnelRequest$TunnelLimits.maxBytesIn()
  EgressTunnelRequest$TunnelLimits: public long EgressTunnelRequest$TunnelLimits.maxBytesOut()
  EgressTunnelRequest$TunnelLimits: public static final EgressTunnelRequest$TunnelLimits EgressTunnelRequest$TunnelLimits.DEFAULT
  EgressTunnelRequest$TunnelLimits: public static final int EgressTunnelRequest$TunnelLimits.MOST_CONNECT_MILLIS
  EgressTunnelRequest$TunnelLimits: public static final int EgressTunnelRequest$TunnelLimits.MOST_IDLE_MILLIS
  EgressTunnelRequest$TunnelLimits: public static final long EgressTunnelRequest$TunnelLimits.MOST_BYTES
  EgressTunnelRequest$TunnelLimits: public static final record EgressTunnelRequest$TunnelLimits(int connectMillis, int idleMillis, long maxBytesIn, long maxBytesOut) extends Record
  EgressTunnelRequest: public EgressContext EgressTunnelRequest.who()
  EgressTunnelRequest: public EgressTunnelRequest$Security EgressTunnelRequest.security()
  EgressTunnelRequest: public EgressTunnelRequest$TunnelLimits EgressTunnelRequest.limits()
  EgressTunnelRequest: public EgressTunnelRequest(EgressContext,String,int,EgressTunnelRequest$Security,List<String>,EgressTunnelRequest$TunnelLimits)
  EgressTunnelRequest: public List<String> EgressTunnelRequest.applicationProtocols()
  EgressTunnelRequest: public String EgressTunnelRequest.host()
  EgressTunnelRequest: public final String EgressTunnelRequest.toString()
  EgressTunnelRequest: public final boolean EgressTunnelRequest.equals(Object)
  EgressTunnelRequest: public final int EgressTunnelRequest.hashCode()
  EgressTunnelRequest: public final record EgressTunnelRequest(EgressContext who, String host, int port, EgressTunnelRequest$Security security, List applicationProtocols, EgressTunnelRequest$TunnelLimits limits) extends Record
  EgressTunnelRequest: public int EgressTunnelRequest.port()
  EgressTunnelRequest: public static EgressTunnelRequest EgressTunnelRequest.tls(EgressContext,String,int)
  EgressTunnels: public abstract EgressConnection EgressTunnels.connect(EgressTunnelRequest)
  EgressTunnels: public abstract WebSocketConnection EgressTunnels.webSocket(WebSocketRequest)
  EgressTunnels: public abstract interface EgressTunnels
  WebSocketConnection$Message$Binary: public WebSocketConnection$Message$Binary(byte[])
  WebSocketConnection$Message$Binary: public byte[] WebSocketConnection$Message$Binary.bytes()
  WebSocketConnection$Message$Binary: public final String WebSocketConnection$Message$Binary.toString()
  WebSocketConnection$Message$Binary: public final boolean WebSocketConnection$Message$Binary.equals(Object)
  WebSocketConnection$Message$Binary: public final int WebSocketConnection$Message$Binary.hashCode()
  WebSocketConnection$Message$Binary: public static final record WebSocketConnection$Message$Binary(byte[] bytes) extends Record implements WebSocketConnection$Message
  WebSocketConnection$Message$Closed: public String WebSocketConnection$Message$Closed.reason()
  WebSocketConnection$Message$Closed: public WebSocketConnection$Message$Closed(int,String)
  WebSocketConnection$Message$Closed: public final String WebSocketConnection$Message$Closed.toString()
  WebSocketConnection$Message$Closed: public final boolean WebSocketConnection$Message$Closed.equals(Object)
  WebSocketConnection$Message$Closed: public final int WebSocketConnection$Message$Closed.hashCode()
  WebSocketConnection$Message$Closed: public int WebSocketConnection$Message$Closed.code()
  WebSocketConnection$Message$Closed: public static final record WebSocketConnection$Message$Closed(int code, String reason) extends Record implements WebSocketConnection$Message
  WebSocketConnection$Message$Text: public String WebSocketConnection$Message$Text.text()
  WebSocketConnection$Message$Text: public WebSocketConnection$Message$Text(String)
  WebSocketConnection$Message$Text: public final String WebSocketConnection$Message$Text.toString()
  WebSocketConnection$Message$Text: public final boolean WebSocketConnection$Message$Text.equals(Object)
  WebSocketConnection$Message$Text: public final int WebSocketConnection$Message$Text.hashCode()
  WebSocketConnection$Message$Text: public static final record WebSocketConnection$Message$Text(String text) extends Record implements WebSocketConnection$Message
  WebSocketConnection$Message: public abstract static sealed interface WebSocketConnection$Message permits WebSocketConnection$Message$Binary, WebSocketConnection$Message$Closed, WebSocketConnection$Message$Text
  WebSocketConnection: public abstract Optional<String> WebSocketConnection.closed()
  WebSocketConnection: public abstract String WebSocketConnection.address()
  WebSocketConnection: public abstract String WebSocketConnection.protocol()
  WebSocketConnection: public abstract WebSocketConnection$Message WebSocketConnection.receive() throws java.io.IOException
  WebSocketConnection: public abstract interface WebSocketConnection implements AutoCloseable
  WebSocketConnection: public abstract void WebSocketConnection.close()
  WebSocketConnection: public abstract void WebSocketConnection.close(int,String) throws java.io.IOException
  WebSocketConnection: public abstract void WebSocketConnection.ping(byte[]) throws java.io.IOException
  WebSocketConnection: public abstract void WebSocketConnection.sendBinary(byte[]) throws java.io.IOException
  WebSocketConnection: public abstract void WebSocketConnection.sendText(String) throws java.io.IOException
  WebSocketRequest: public EgressContext WebSocketRequest.who()
  WebSocketRequest: public EgressTunnelRequest$TunnelLimits WebSocketRequest.limits()
  WebSocketRequest: public List<String> WebSocketRequest.protocols()
  WebSocketRequest: public Map<String, String> WebSocketRequest.headers()
  WebSocketRequest: public Map<String, String> WebSocketRequest.secretHeaders()
  WebSocketRequest: public String WebSocketRequest.toString()
  WebSocketRequest: public String WebSocketRequest.url()
  WebSocketRequest: public WebSocketRequest(EgressContext,String,Map<String, String>,Map<String, String>,List<String>,EgressTunnelRequest$TunnelLimits,int)
  WebSocketRequest: public final boolean WebSocketRequest.equals(Object)
  WebSocketRequest: public final int WebSocketRequest.hashCode()
  WebSocketRequest: public final record WebSocketRequest(EgressContext who, String url, Map headers, Map secretHeaders, List protocols, EgressTunnelRequest$TunnelLimits limits, int maxMessageBytes) extends Record
  WebSocketRequest: public int WebSocketRequest.maxMessageBytes()
  WebSocketRequest: public static WebSocketRequest WebSocketRequest.of(EgressContext,String)
  WebSocketRequest: public static final int WebSocketRequest.DEFAULT_MESSAGE_BYTES
  WebSocketRequest: public static final int WebSocketRequest.MOST_MESSAGE_BYTES
package palyra.api.core.gateway 6.0.0
  AgentRegistry$Binding: public AgentRegistry$Binding(String,String,String)
  AgentRegistry$Binding: public String AgentRegistry$Binding.agentId()
  AgentRegistry$Binding: public String AgentRegistry$Binding.channel()
  AgentRegistry$Binding: public String AgentRegistry$Binding.principal()
  AgentRegistry$Binding: public final String AgentRegistry$Binding.toString()
  AgentRegistry$Binding: public final boolean AgentRegistry$Binding.equals(Object)
  AgentRegistry$Binding: public final int AgentRegistry$Binding.hashCode()
  AgentRegistry$Binding: public static final record AgentRegistry$Binding(String principal, String channel, String agentId) extends Record
  AgentRegistry$ModelPrompt: public AgentRegistry$ModelPrompt(String,List<palyra.api.tool.ToolDescriptor>)
  AgentRegistry$ModelPrompt: public List<palyra.api.tool.ToolDescriptor> AgentRegistry$ModelPrompt.tools()
  AgentRegistry$ModelPrompt: public String AgentRegistry$ModelPrompt.instructions()
  AgentRegistry$ModelPrompt: public final String AgentRegistry$ModelPrompt.toString()
  AgentRegistry$ModelPrompt: public final boolean AgentRegistry$ModelPrompt.equals(Object)
  AgentRegistry$ModelPrompt: public final int AgentRegistry$ModelPrompt.hashCode()
  AgentRegistry$ModelPrompt: public static final record AgentRegistry$ModelPrompt(String instructions, List tools) extends Record
  AgentRegistry$Resolution: public AgentRegistry$Resolution(AgentView,AgentRegistry$Source)
  AgentRegistry$Resolution: public AgentRegistry$Source AgentRegistry$Resolution.source()
  AgentRegistry$Resolution: public AgentView AgentRegistry$Resolution.agent()
  AgentRegistry$Resolution: public final String AgentRegistry$Resolution.toString()
  AgentRegistry$Resolution: public final boolean AgentRegistry$Resolution.equals(Object)
  AgentRegistry$Resolution: public final int AgentRegistry$Resolution.hashCode()
  AgentRegistry$Resolution: public static final record AgentRegistry$Resolution(AgentView agent, AgentRegistry$Source source) extends Record
  AgentRegistry$Source: public static AgentRegistry$Source AgentRegistry$Source.valueOf(String)
  AgentRegistry$Source: public static AgentRegistry$Source[] AgentRegistry$Source.values()
  AgentRegistry$Source: public static final AgentRegistry$Source AgentRegistry$Source.CONTEXT_BINDING
  AgentRegistry$Source: public static final AgentRegistry$Source AgentRegistry$Source.DEFAULT
  AgentRegistry$Source: public static final AgentRegistry$Source AgentRegistry$Source.SESSION_BINDING
  AgentRegistry$Source: public static final enum AgentRegistry$Source extends Enum<AgentRegistry$Source>
  AgentRegistry: public abstract AgentRegistry$Binding AgentRegistry.bind(palyra.api.core.access.Authorized,AgentRegistry$Binding)
  AgentRegistry: public abstract AgentRegistry$Resolution AgentRegistry.resolve(String,String,String)
  AgentRegistry: public abstract AgentView AgentRegistry.create(palyra.api.core.access.Authorized,AgentView,boolean)
  AgentRegistry: public abstract AgentView AgentRegistry.update(palyra.api.core.access.Authorized,AgentView)
  AgentRegistry: public abstract List<AgentRegistry$Binding> AgentRegistry.bindings()
  AgentRegistry: public abstract List<AgentView> AgentRegistry.agents()
  AgentRegistry: public abstract Optional<AgentView> AgentRegistry.agent(String)
  AgentRegistry: public abstract String AgentRegistry.defaultAgentId()
  AgentRegistry: public abstract boolean AgentRegistry.unbind(palyra.api.core.access.Authorized,String,String)
  AgentRegistry: public abstract interface AgentRegistry
  AgentRegistry: public abstract void AgentRegistry.bindSession(palyra.api.core.access.Authorized,String,String)
  AgentRegistry: public abstract void AgentRegistry.delete(palyra.api.core.access.Authorized,String)
  AgentRegistry: public abstract void AgentRegistry.setDefault(palyra.api.core.access.Authorized,String)
  AgentRegistry: public default AgentRegistry$ModelPrompt AgentRegistry.prompt(AgentView,String)
  AgentRegistry: public default List<String> AgentRegistry.providers()
  AgentRegistry: public default List<palyra.api.tool.ToolDescriptor> AgentRegistry.tools()
  AgentRegistry: public default Optional<String> AgentRegistry.obstacle(AgentView)
  AgentView: public AgentView AgentView.withComputed(String,long,long)
  AgentView: public AgentView(String,String,String,String,String,String,List<String>,boolean,long,long)
  AgentView: public AgentView(String,String,String,String,String,String,List<String>,boolean,long,long,String,String)
  AgentView: public AgentView(String,String,String,String,String,String,List<String>,boolean,long,long,String,String,String,int)
  AgentView: public List<String> AgentView.tools()
  AgentView: public String AgentView.agentId()
  AgentView: public String AgentView.displayName()
  AgentView: public String AgentView.model()
  AgentView: public String AgentView.modelProfile()
  AgentView: public String AgentView.policyProfile()
  AgentView: public String AgentView.promptProfile()
  AgentView: public String AgentView.provider()
  AgentView: public String AgentView.systemPrompt()
  AgentView: public String AgentView.systemPromptSha256()
  AgentView: public boolean AgentView.test()
  AgentView: public final String AgentView.toString()
  AgentView: public final boolean AgentView.equals(Object)
  AgentView: public final int AgentView.hashCode()
  AgentView: public final record AgentView(String agentId, String displayName, String systemPrompt, String systemPromptSha256, String provider, String model, List tools, boolean test, long createdAtMillis, long updatedAtMillis, String modelProfile, String promptProfile, String policyProfile, int maxCalls) extends Record
  AgentView: public int AgentView.maxCalls()
  AgentView: public long AgentView.createdAtMillis()
  AgentView: public long AgentView.updatedAtMillis()
  ConcurrencyLimits: public abstract interface ConcurrencyLimits
  ConcurrencyLimits: public abstract void ConcurrencyLimits.limit(Map<String, Integer>)
  Intake: public abstract int Intake.activeRuns()
  Intake: public abstract interface Intake
  Intake: public abstract palyra.api.run.ResolvedSession Intake.resolveSession(String,palyra.api.run.SessionQuery,List<palyra.api.core.journal.Operation>)
  Intake: public abstract palyra.api.run.Submission Intake.accept(palyra.api.core.journal.InboxRow,palyra.api.run.SubmittedMessage,List<palyra.api.core.journal.Operation>)
  Intake: public default List<Setback> Intake.setbacks()
  MessageRules$Ruling$Ignored: public MessageRules$Ruling$Ignored(String,String,String,String)
  MessageRules$Ruling$Ignored: public String MessageRules$Ruling$Ignored.explanation()
  MessageRules$Ruling$Ignored: public String MessageRules$Ruling$Ignored.reason()
  MessageRules$Ruling$Ignored: public String MessageRules$Ruling$Ignored.reply()
  MessageRules$Ruling$Ignored: public String MessageRules$Ruling$Ignored.sessionKey()
  MessageRules$Ruling$Ignored: public final String MessageRules$Ruling$Ignored.toString()
  MessageRules$Ruling$Ignored: public final boolean MessageRules$Ruling$Ignored.equals(Object)
  MessageRules$Ruling$Ignored: public final int MessageRules$Ruling$Ignored.hashCode()
  MessageRules$Ruling$Ignored: public static final record MessageRules$Ruling$Ignored(String reason, String explanation, String reply, String sessionKey) extends Record implements MessageRules$Ruling
  MessageRules$Ruling$Known: public MessageRules$Ruling$Known(String,String,String,String)
  MessageRules$Ruling$Known: public String MessageRules$Ruling$Known.messageId()
  MessageRules$Ruling$Known: public String MessageRules$Ruling$Known.principal()
  MessageRules$Ruling$Known: public String MessageRules$Ruling$Known.responsePrefix()
  MessageRules$Ruling$Known: public String MessageRules$Ruling$Known.sessionKey()
  MessageRules$Ruling$Known: public final String MessageRules$Ruling$Known.toString()
  MessageRules$Ruling$Known: public final boolean MessageRules$Ruling$Known.equals(Object)
  MessageRules$Ruling$Known: public final int MessageRules$Ruling$Known.hashCode()
  MessageRules$Ruling$Known: public static final record MessageRules$Ruling$Known(String principal, String sessionKey, String messageId, String responsePrefix) extends Record implements MessageRules$Ruling
  MessageRules$Ruling$Routed: public MessageRules$Ruling$Routed(String,String,String,String,String,palyra.api.run.WhileRunning,String)
  MessageRules$Ruling$Routed: public String MessageRules$Ruling$Routed.agentId()
  MessageRules$Ruling$Routed: public String MessageRules$Ruling$Routed.principal()
  MessageRules$Ruling$Routed: public String MessageRules$Ruling$Routed.responsePrefix()
  MessageRules$Ruling$Routed: public String MessageRules$Ruling$Routed.rule()
  MessageRules$Ruling$Routed: public String MessageRules$Ruling$Routed.sessionKey()
  MessageRules$Ruling$Routed: public String MessageRules$Ruling$Routed.text()
  MessageRules$Ruling$Routed: public final String MessageRules$Ruling$Routed.toString()
  MessageRules$Ruling$Routed: public final boolean MessageRules$Ruling$Routed.equals(Object)
  MessageRules$Ruling$Routed: public final int MessageRules$Ruling$Routed.hashCode()
  MessageRules$Ruling$Routed: public palyra.api.run.WhileRunning MessageRules$Ruling$Routed.whileRunning()
  MessageRules$Ruling$Routed: public static final record MessageRules$Ruling$Routed(String principal, String sessionKey, String agentId, String text, String responsePrefix, palyra.api.run.WhileRunning whileRunning, String rule) extends Record implements MessageRules$Ruling
  MessageRules$Ruling: public abstract static sealed interface MessageRules$Ruling permits MessageRules$Ruling$Ignored, MessageRules$Ruling$Known, MessageRules$Ruling$Routed
  MessageRules: public abstract MessageRules$Ruling MessageRules.rule(palyra.api.channel.ConnectorId,palyra.api.channel.InboundMessage,boolean)
  MessageRules: public abstract Optional<MessageRules$Ruling> MessageRules.before(palyra.api.channel.ConnectorId,palyra.api.channel.InboundMessage)
  MessageRules: public abstract boolean MessageRules.governs(palyra.api.channel.ConnectorId)
  MessageRules: public abstract interface MessageRules
  Setback$Kind: public static Setback$Kind Setback$Kind.valueOf(String)
  Setback$Kind: public static Setback$Kind[] Setback$Kind.values()
  Setback$Kind: public static final Setback$Kind Setback$Kind.COMMAND
  Setback$Kind: public static final Setback$Kind Setback$Kind.DUTY
  Setback$Kind: public static final Setback$Kind Setback$Kind.MESSAGE
  Setback$Kind: public static final Setback$Kind Setback$Kind.RUN
  Setback$Kind: public static final enum Setback$Kind extends Enum<Setback$Kind>
  Setback: public Setback$Kind Setback.kind()
  Setback: public Setback(Setback$Kind,String,int,String,long,long)
  Setback: public String Setback.id()
  Setback: public String Setback.reason()
  Setback: public String Setback.sentence()
  Setback: public final String Setback.toString()
  Setback: public final boolean Setback.equals(Object)
  Setback: public final int Setback.hashCode()
  Setback: public final record Setback(Setback$Kind kind, String id, int attempts, String reason, long sinceMillis, long nextTryMillis) extends Record
  Setback: public int Setback.attempts()
  Setback: public long Setback.nextTryMillis()
  Setback: public long Setback.sinceMillis()
package palyra.api.core.journal 10.2.0
  ApprovalFilter: public ApprovalFilter(Optional<ApprovalRow$State>,String,String,String,String,String,long,long)
  ApprovalFilter: public Optional<ApprovalRow$State> ApprovalFilter.state()
  ApprovalFilter: public String ApprovalFilter.principal()
  ApprovalFilter: public String ApprovalFilter.runId()
  ApprovalFilter: public String ApprovalFilter.sessionId()
  ApprovalFilter: public String ApprovalFilter.subjectId()
  ApprovalFilter: public String ApprovalFilter.subjectType()
  ApprovalFilter: public final String ApprovalFilter.toString()
  ApprovalFilter: public final boolean ApprovalFilter.equals(Object)
  ApprovalFilter: public final int ApprovalFilter.hashCode()
  ApprovalFilter: public final record ApprovalFilter(Optional state, String subjectType, String subjectId, String principal, String runId, String sessionId, long sinceMillis, long untilMillis) extends Record
  ApprovalFilter: public long ApprovalFilter.sinceMillis()
  ApprovalFilter: public long ApprovalFilter.untilMillis()
  ApprovalFilter: public static ApprovalFilter ApprovalFilter.in(ApprovalRow$State,String)
  ApprovalFilter: public static final ApprovalFilter ApprovalFilter.ALL
  ApprovalRow$State: public static ApprovalRow$State ApprovalRow$State.valueOf(String)
  ApprovalRow$State: public static ApprovalRow$State[] ApprovalRow$State.values()
  ApprovalRow$State: public static final ApprovalRow$State ApprovalRow$State.DENIED
  ApprovalRow$State: public static final ApprovalRow$State ApprovalRow$State.EXPIRED
  ApprovalRow$State: public static final ApprovalRow$State ApprovalRow$State.GRANTED
  ApprovalRow$State: public static final ApprovalRow$State ApprovalRow$State.PENDING
  ApprovalRow$State: public static final ApprovalRow$State ApprovalRow$State.WITHDRAWN
  ApprovalRow$State: public static final enum ApprovalRow$State extends Enum<ApprovalRow$State>
  ApprovalRow: public ApprovalRow$State ApprovalRow.state()
  ApprovalRow: public ApprovalRow(String,String,String,String,String,String,String,ApprovalRow$State,byte[],int,int,long,long,long,int,long,String,byte[])
  ApprovalRow: public String ApprovalRow.approvalId()
  ApprovalRow: public String ApprovalRow.callId()
  ApprovalRow: public String ApprovalRow.decidedBy()
  ApprovalRow: public String ApprovalRow.principal()
  ApprovalRow: public String ApprovalRow.runId()
  ApprovalRow: public String ApprovalRow.sessionId()
  ApprovalRow: public String ApprovalRow.subjectId()
  ApprovalRow: public String ApprovalRow.subjectType()
  ApprovalRow: public boolean ApprovalRow.isPairing()
  ApprovalRow: public byte[] ApprovalRow.decision()
  ApprovalRow: public byte[] ApprovalRow.payload()
  ApprovalRow: public final String ApprovalRow.toString()
  ApprovalRow: public final boolean ApprovalRow.equals(Object)
  ApprovalRow: public final int ApprovalRow.hashCode()
  ApprovalRow: public final record ApprovalRow(String approvalId, String runId, String callId, String sessionId, String principal, String subjectType, String subjectId, ApprovalRow$State state, byte[] payload, int quorum, int votes, long createdAtMillis, long expiresAtMillis, long noticeAtMillis, int notices, long decidedAtMillis, String decidedBy, byte[] decision) extends Record
  ApprovalRow: public int ApprovalRow.notices()
  ApprovalRow: public int ApprovalRow.quorum()
  ApprovalRow: public int ApprovalRow.votes()
  ApprovalRow: public long ApprovalRow.createdAtMillis()
  ApprovalRow: public long ApprovalRow.decidedAtMillis()
  ApprovalRow: public long ApprovalRow.expiresAtMillis()
  ApprovalRow: public long ApprovalRow.noticeAtMillis()
  ApprovalRow: public static ApprovalRow ApprovalRow.asked(String,String,String,String,String,String,String,byte[],int,long,long)
  ApprovalVoteRow: public ApprovalVoteRow(String,String,byte[],long)
  ApprovalVoteRow: public String ApprovalVoteRow.approvalId()
  ApprovalVoteRow: public String ApprovalVoteRow.principal()
  ApprovalVoteRow: public byte[] ApprovalVoteRow.payload()
  ApprovalVoteRow: public final String ApprovalVoteRow.toString()
  ApprovalVoteRow: public final boolean ApprovalVoteRow.equals(Object)
  ApprovalVoteRow: public final int ApprovalVoteRow.hashCode()
  ApprovalVoteRow: public final record ApprovalVoteRow(String approvalId, String principal, byte[] payload, long votedAtMillis) extends Record
  ApprovalVoteRow: public long ApprovalVoteRow.votedAtMillis()
  BudgetAmount: public BudgetAmount BudgetAmount.minus(BudgetAmount)
  BudgetAmount: public BudgetAmount BudgetAmount.plus(BudgetAmount)
  BudgetAmount: public BudgetAmount(long,long,long)
  BudgetAmount: public boolean BudgetAmount.within(BudgetAmount)
  BudgetAmount: public final String BudgetAmount.toString()
  BudgetAmount: public final boolean BudgetAmount.equals(Object)
  BudgetAmount: public final int BudgetAmount.hashCode()
  BudgetAmount: public final record BudgetAmount(long tokens, long costMicros, long calls) extends Record
  BudgetAmount: public long BudgetAmount.calls()
  BudgetAmount: public long BudgetAmount.costMicros()
  BudgetAmount: public long BudgetAmount.percentOf(BudgetAmount)
  BudgetAmount: public long BudgetAmount.tokens()
  BudgetAmount: public static final BudgetAmount BudgetAmount.NONE
  BudgetClaim: public BudgetAmount BudgetClaim.amount()
  BudgetClaim: public BudgetAmount BudgetClaim.cap()
  BudgetClaim: public BudgetClaim(String,String,String,BudgetAmount,BudgetAmount)
  BudgetClaim: public String BudgetClaim.budget()
  BudgetClaim: public String BudgetClaim.period()
  BudgetClaim: public String BudgetClaim.subject()
  BudgetClaim: public final String BudgetClaim.toString()
  BudgetClaim: public final boolean BudgetClaim.equals(Object)
  BudgetClaim: public final int BudgetClaim.hashCode()
  BudgetClaim: public final record BudgetClaim(String budget, String subject, String period, BudgetAmount cap, BudgetAmount amount) extends Record
  BudgetExceeded: public BudgetClaim BudgetExceeded.claim()
  BudgetExceeded: public BudgetExceeded(BudgetClaim,String)
  BudgetExceeded: public final class BudgetExceeded extends Exception
  BudgetExceeded: public static Optional<BudgetExceeded> BudgetExceeded.find(Throwable)
  BudgetExceeded: public static boolean BudgetExceeded.in(Throwable)
  BudgetRow: public BudgetAmount BudgetRow.cap()
  BudgetRow: public BudgetAmount BudgetRow.reserved()
  BudgetRow: public BudgetAmount BudgetRow.used()
  BudgetRow: public BudgetRow(long,String,String,String,BudgetAmount,BudgetAmount,BudgetAmount,int,long)
  BudgetRow: public String BudgetRow.budget()
  BudgetRow: public String BudgetRow.period()
  BudgetRow: public String BudgetRow.subject()
  BudgetRow: public final String BudgetRow.toString()
  BudgetRow: public final boolean BudgetRow.equals(Object)
  BudgetRow: public final int BudgetRow.hashCode()
  BudgetRow: public final record BudgetRow(long no, String budget, String subject, String period, BudgetAmount cap, BudgetAmount used, BudgetAmount reserved, int warned, long updatedAtMillis) extends Record
  BudgetRow: public int BudgetRow.warned()
  BudgetRow: public long BudgetRow.no()
  BudgetRow: public long BudgetRow.percent()
  BudgetRow: public long BudgetRow.updatedAtMillis()
  CommandRow: public CommandRow(String,String,String,String,byte[],boolean,String,long)
  CommandRow: public String CommandRow.commandId()
  CommandRow: public String CommandRow.kind()
  CommandRow: public String CommandRow.principal()
  CommandRow: public String CommandRow.result()
  CommandRow: public String CommandRow.target()
  CommandRow: public boolean CommandRow.done()
  CommandRow: public byte[] CommandRow.payload()
  CommandRow: public final String CommandRow.toString()
  CommandRow: public final boolean CommandRow.equals(Object)
  CommandRow: public final int CommandRow.hashCode()
  CommandRow: public final record CommandRow(String commandId, String kind, String target, String principal, byte[] payload, boolean done, String result, long createdAtMillis) extends Record
  CommandRow: public long CommandRow.createdAtMillis()
  CommandRow: public static final String CommandRow.CANCEL_RUN
  CommandRow: public static final String CommandRow.RETRY_RUN
  Committed$Position: public Committed$Position(String,long,long)
  Committed$Position: public String Committed$Position.streamId()
  Committed$Position: public final String Committed$Position.toString()
  Committed$Position: public final boolean Committed$Position.equals(Object)
  Committed$Position: public final int Committed$Position.hashCode()
  Committed$Position: public long Committed$Position.seq()
  Committed$Position: public long Committed$Position.timeMillis()
  Committed$Position: public static final record Committed$Position(String streamId, long seq, long timeMillis) extends Record
  Committed: public Committed(boolean,byte[],List<Committed$Position>)
  Committed: public List<Committed$Position> Committed.appended()
  Committed: public boolean Committed.replayed()
  Committed: public byte[] Committed.result()
  Committed: public final String Committed.toString()
  Committed: public final boolean Committed.equals(Object)
  Committed: public final int Committed.hashCode()
  Committed: public final record Committed(boolean replayed, byte[] result, List appended) extends Record
  Document: public Document(String,String,long,byte[],long)
  Document: public String Document.collection()
  Document: public String Document.key()
  Document: public byte[] Document.content()
  Document: public final String Document.toString()
  Document: public final boolean Document.equals(Object)
  Document: public final int Document.hashCode()
  Document: public final record Document(String collection, String key, long version, byte[] content, long updatedAtMillis) extends Record
  Document: public long Document.updatedAtMillis()
  Document: public long Document.version()
  FeedItem$Advanced: public FeedItem$Advanced(String,long)
  FeedItem$Advanced: public String FeedItem$Advanced.streamId()
  FeedItem$Advanced: public final String FeedItem$Advanced.toString()
  FeedItem$Advanced: public final boolean FeedItem$Advanced.equals(Object)
  FeedItem$Advanced: public final int FeedItem$Advanced.hashCode()
  FeedItem$Advanced: public long FeedItem$Advanced.seq()
  FeedItem$Advanced: public static final record FeedItem$Advanced(String streamId, long seq) extends Record implements FeedItem
  FeedItem$AnswerQueued: public FeedItem$AnswerQueued(String,String)
  FeedItem$AnswerQueued: public String FeedItem$AnswerQueued.outboxId()
  FeedItem$AnswerQueued: public String FeedItem$AnswerQueued.surface()
  FeedItem$AnswerQueued: public final String FeedItem$AnswerQueued.toString()
  FeedItem$AnswerQueued: public final boolean FeedItem$AnswerQueued.equals(Object)
  FeedItem$AnswerQueued: public final int FeedItem$AnswerQueued.hashCode()
  FeedItem$AnswerQueued: public static final record FeedItem$AnswerQueued(String outboxId, String surface) extends Record implements FeedItem
  FeedItem$ApprovalAsked: public FeedItem$ApprovalAsked(String,String)
  FeedItem$ApprovalAsked: public String FeedItem$ApprovalAsked.approvalId()
  FeedItem$ApprovalAsked: public String FeedItem$ApprovalAsked.runId()
  FeedItem$ApprovalAsked: public final String FeedItem$ApprovalAsked.toString()
  FeedItem$ApprovalAsked: public final boolean FeedItem$ApprovalAsked.equals(Object)
  FeedItem$ApprovalAsked: public final int FeedItem$ApprovalAsked.hashCode()
  FeedItem$ApprovalAsked: public static final record FeedItem$ApprovalAsked(String approvalId, String runId) extends Record implements FeedItem
  FeedItem$ApprovalDecided: public FeedItem$ApprovalDecided(String,String)
  FeedItem$ApprovalDecided: public String FeedItem$ApprovalDecided.approvalId()
  FeedItem$ApprovalDecided: public String FeedItem$ApprovalDecided.runId()
  FeedItem$ApprovalDecided: public final String FeedItem$ApprovalDecided.toString()
  FeedItem$ApprovalDecided: public final boolean FeedItem$ApprovalDecided.equals(Object)
  FeedItem$ApprovalDecided: public final int FeedItem$ApprovalDecided.hashCode()
  FeedItem$ApprovalDecided: public static final record FeedItem$ApprovalDecided(String approvalId, String runId) extends Record implements FeedItem
  FeedItem$Closed: public FeedItem$Closed()
  FeedItem$Closed: public final String FeedItem$Closed.toString()
  FeedItem$Closed: public final boolean FeedItem$Closed.equals(Object)
  FeedItem$Closed: public final int FeedItem$Closed.hashCode()
  FeedItem$Closed: public static final record FeedItem$Closed() extends Record implements FeedItem
  FeedItem$CommandQueued: public FeedItem$CommandQueued(String)
  FeedItem$CommandQueued: public String FeedItem$CommandQueued.commandId()
  FeedItem$CommandQueued: public final String FeedItem$CommandQueued.toString()
  FeedItem$CommandQueued: public final boolean FeedItem$CommandQueued.equals(Object)
  FeedItem$CommandQueued: public final int FeedItem$CommandQueued.hashCode()
  FeedItem$CommandQueued: public static final record FeedItem$CommandQueued(String commandId) extends Record implements FeedItem
  FeedItem$Lagged: public FeedItem$Lagged(long)
  FeedItem$Lagged: public final String FeedItem$Lagged.toString()
  FeedItem$Lagged: public final boolean FeedItem$Lagged.equals(Object)
  FeedItem$Lagged: public final int FeedItem$Lagged.hashCode()
  FeedItem$Lagged: public long FeedItem$Lagged.count()
  FeedItem$Lagged: public static final record FeedItem$Lagged(long count) extends Record implements FeedItem
  FeedItem$LiveText: public FeedItem$LiveText(String,int,int,boolean,long,String)
  FeedItem$LiveText: public String FeedItem$LiveText.runId()
  FeedItem$LiveText: public String FeedItem$LiveText.text()
  FeedItem$LiveText: public boolean FeedItem$LiveText.thought()
  FeedItem$LiveText: public final String FeedItem$LiveText.toString()
  FeedItem$LiveText: public final boolean FeedItem$LiveText.equals(Object)
  FeedItem$LiveText: public final int FeedItem$LiveText.hashCode()
  FeedItem$LiveText: public int FeedItem$LiveText.attempt()
  FeedItem$LiveText: public int FeedItem$LiveText.turn()
  FeedItem$LiveText: public long FeedItem$LiveText.offset()
  FeedItem$LiveText: public static final record FeedItem$LiveText(String runId, int turn, int attempt, boolean thought, long offset, String text) extends Record implements FeedItem
  FeedItem$MessageQueued: public FeedItem$MessageQueued(String)
  FeedItem$MessageQueued: public String FeedItem$MessageQueued.messageId()
  FeedItem$MessageQueued: public final String FeedItem$MessageQueued.toString()
  FeedItem$MessageQueued: public final boolean FeedItem$MessageQueued.equals(Object)
  FeedItem$MessageQueued: public final int FeedItem$MessageQueued.hashCode()
  FeedItem$MessageQueued: public static final record FeedItem$MessageQueued(String messageId) extends Record implements FeedItem
  FeedItem: public abstract sealed interface FeedItem permits FeedItem$Advanced, FeedItem$AnswerQueued, FeedItem$ApprovalAsked, FeedItem$ApprovalDecided, FeedItem$Closed, FeedItem$CommandQueued, FeedItem$Lagged, FeedItem$LiveText, FeedItem$MessageQueued
  GrantRow$State: public static GrantRow$State GrantRow$State.valueOf(String)
  GrantRow$State: public static GrantRow$State[] GrantRow$State.values()
  GrantRow$State: public static final GrantRow$State GrantRow$State.ACTIVE
  GrantRow$State: public static final GrantRow$State GrantRow$State.EXHAUSTED
  GrantRow$State: public static final GrantRow$State GrantRow$State.EXPIRED
  GrantRow$State: public static final GrantRow$State GrantRow$State.REVOKED
  GrantRow$State: public static final enum GrantRow$State extends Enum<GrantRow$State>
  GrantRow: public GrantRow$State GrantRow.state()
  GrantRow: public GrantRow(String,String,String,String,String,String,String,GrantRow$State,byte[],long,long,int,int,long,String)
  GrantRow: public String GrantRow.agentId()
  GrantRow: public String GrantRow.approvalId()
  GrantRow: public String GrantRow.callId()
  GrantRow: public String GrantRow.endedBy()
  GrantRow: public String GrantRow.grantId()
  GrantRow: public String GrantRow.principal()
  GrantRow: public String GrantRow.sessionId()
  GrantRow: public String GrantRow.tool()
  GrantRow: public byte[] GrantRow.payload()
  GrantRow: public final String GrantRow.toString()
  GrantRow: public final boolean GrantRow.equals(Object)
  GrantRow: public final int GrantRow.hashCode()
  GrantRow: public final record GrantRow(String grantId, String approvalId, String sessionId, String principal, String agentId, String tool, String callId, GrantRow$State state, byte[] payload, long createdAtMillis, long expiresAtMillis, int maxUses, int uses, long endedAtMillis, String endedBy) extends Record
  GrantRow: public int GrantRow.maxUses()
  GrantRow: public int GrantRow.uses()
  GrantRow: public long GrantRow.createdAtMillis()
  GrantRow: public long GrantRow.endedAtMillis()
  GrantRow: public long GrantRow.expiresAtMillis()
  GrantRow: public static GrantRow GrantRow.begin(String,String,String,String,String,String,String,byte[],long,int)
  IdempotencyKey: public IdempotencyKey(String,String,String)
  IdempotencyKey: public String IdempotencyKey.key()
  IdempotencyKey: public String IdempotencyKey.requestSha256()
  IdempotencyKey: public String IdempotencyKey.scope()
  IdempotencyKey: public final String IdempotencyKey.toString()
  IdempotencyKey: public final boolean IdempotencyKey.equals(Object)
  IdempotencyKey: public final int IdempotencyKey.hashCode()
  IdempotencyKey: public final record IdempotencyKey(String scope, String key, String requestSha256) extends Record
  InboxRow$State: public static InboxRow$State InboxRow$State.valueOf(String)
  InboxRow$State: public static InboxRow$State[] InboxRow$State.values()
  InboxRow$State: public static final InboxRow$State InboxRow$State.IGNORED
  InboxRow$State: public static final InboxRow$State InboxRow$State.QUEUED
  InboxRow$State: public static final InboxRow$State InboxRow$State.REJECTED
  InboxRow$State: public static final InboxRow$State InboxRow$State.ROUTED
  InboxRow$State: public static final enum InboxRow$State extends Enum<InboxRow$State>
  InboxRow: public InboxRow InboxRow.settled(InboxRow$State,String,String)
  InboxRow: public InboxRow InboxRow.withRun(String)
  InboxRow: public InboxRow$State InboxRow.state()
  InboxRow: public InboxRow(String,String,String,String,byte[],InboxRow$State,String,String,long)
  InboxRow: public InboxRow(String,String,String,String,byte[],InboxRow$State,String,String,long,String,String)
  InboxRow: public String InboxRow.conversation()
  InboxRow: public String InboxRow.dedupeKey()
  InboxRow: public String InboxRow.messageId()
  InboxRow: public String InboxRow.principal()
  InboxRow: public String InboxRow.reason()
  InboxRow: public String InboxRow.runId()
  InboxRow: public String InboxRow.sender()
  InboxRow: public String InboxRow.surface()
  InboxRow: public byte[] InboxRow.payload()
  InboxRow: public final String InboxRow.toString()
  InboxRow: public final boolean InboxRow.equals(Object)
  InboxRow: public final int InboxRow.hashCode()
  InboxRow: public final record InboxRow(String messageId, String surface, String dedupeKey, String principal, byte[] payload, InboxRow$State state, String runId, String reason, long createdAtMillis, String conversation, String sender) extends Record
  InboxRow: public long InboxRow.createdAtMillis()
  Journal: public abstract Committed Journal.commit(Unit)
  Journal: public abstract JournalStatus Journal.status()
  Journal: public abstract Lease Journal.takeLease(String,String,long)
  Journal: public abstract interface Journal implements JournalReader
  Journal: public abstract java.util.concurrent.CompletionStage<Committed> Journal.submit(Unit)
  Journal: public abstract void Journal.releaseLease(String,String)
  JournalCopier$Copied: public JournalCopier$Copied(long,long,long)
  JournalCopier$Copied: public final String JournalCopier$Copied.toString()
  JournalCopier$Copied: public final boolean JournalCopier$Copied.equals(Object)
  JournalCopier$Copied: public final int JournalCopier$Copied.hashCode()
  JournalCopier$Copied: public long JournalCopier$Copied.databaseBytes()
  JournalCopier$Copied: public long JournalCopier$Copied.payloadFiles()
  JournalCopier$Copied: public long JournalCopier$Copied.records()
  JournalCopier$Copied: public static final record JournalCopier$Copied(long databaseBytes, long payloadFiles, long records) extends Record
  JournalCopier: public abstract JournalCopier$Copied JournalCopier.copyTo(java.nio.file.Path,java.util.function.BooleanSupplier)
  JournalCopier: public abstract interface JournalCopier
  JournalReader: public abstract List<ApprovalRow> JournalReader.approvals(ApprovalFilter,String,int)
  JournalReader: public abstract List<ApprovalRow> JournalReader.approvalsDue(long,int)
  JournalReader: public abstract List<ApprovalVoteRow> JournalReader.approvalVotes(String)
  JournalReader: public abstract List<BudgetRow> JournalReader.budgets(String,String,long,int)
  JournalReader: public abstract List<CommandRow> JournalReader.pendingCommands(String,int)
  JournalReader: public abstract List<Document> JournalReader.documents(String,String,int)
  JournalReader: public abstract List<GrantRow> JournalReader.grants(String,String,String,long,String,int)
  JournalReader: public abstract List<InboxRow> JournalReader.inboxIn(InboxRow$State,String,int)
  JournalReader: public abstract List<InboxRow> JournalReader.inboxOf(String,String,String,int)
  JournalReader: public abstract List<OutboxRow> JournalReader.outboxHeads(String,String,int)
  JournalReader: public abstract List<OutboxRow> JournalReader.outboxIn(OutboxRow$State,String,String,int)
  JournalReader: public abstract List<OutboxRow> JournalReader.outboxOf(String)
  JournalReader: public abstract List<OutboxRow> JournalReader.outboxSent(String,String,String,int)
  JournalReader: public abstract List<RunRow> JournalReader.answeredRuns(String,int)
  JournalReader: public abstract List<RunRow> JournalReader.endedRuns(RunPayloads,long,String,int)
  JournalReader: public abstract List<RunRow> JournalReader.runs(String,String,String,int)
  JournalReader: public abstract List<RunRow> JournalReader.runsIn(Set<palyra.api.run.RunState>,String,String,int)
  JournalReader: public abstract List<String> JournalReader.settled(SettledKind,long,String,int)
  JournalReader: public abstract List<palyra.api.run.SessionView> JournalReader.sessions(String,String,String,int,boolean)
  JournalReader: public abstract List<palyra.api.tape.TapeRecord> JournalReader.tape(String,long,int)
  JournalReader: public abstract Optional<ApprovalRow> JournalReader.approval(String)
  JournalReader: public abstract Optional<Document> JournalReader.document(String,String)
  JournalReader: public abstract Optional<GrantRow> JournalReader.grant(String)
  JournalReader: public abstract Optional<InboxRow> JournalReader.inbox(String)
  JournalReader: public abstract Optional<InboxRow> JournalReader.inboxByKey(String,String)
  JournalReader: public abstract Optional<Lease> JournalReader.lease(String)
  JournalReader: public abstract Optional<OutboxRow> JournalReader.outbox(String)
  JournalReader: public abstract Optional<RunRow> JournalReader.run(String)
  JournalReader: public abstract Optional<RunSnapshot> JournalReader.snapshot(String)
  JournalReader: public abstract Optional<byte[]> JournalReader.stored(IdempotencyKey)
  JournalReader: public abstract Optional<palyra.api.run.SessionView> JournalReader.session(String)
  JournalReader: public abstract Optional<palyra.api.run.SessionView> JournalReader.sessionByKey(String,String)
  JournalReader: public abstract String JournalReader.nodeStream()
  JournalReader: public abstract interface JournalReader
  JournalReader: public abstract long JournalReader.headSeq(String)
  JournalReader: public default List<RunLoss> JournalReader.losses(String)
  JournalReader: public default Optional<RunLoss> JournalReader.loss(String)
  JournalStatus$Scrub: public JournalStatus$Scrub(long,long,int)
  JournalStatus$Scrub: public final String JournalStatus$Scrub.toString()
  JournalStatus$Scrub: public final boolean JournalStatus$Scrub.equals(Object)
  JournalStatus$Scrub: public final int JournalStatus$Scrub.hashCode()
  JournalStatus$Scrub: public int JournalStatus$Scrub.faults()
  JournalStatus$Scrub: public long JournalStatus$Scrub.endedAtMillis()
  JournalStatus$Scrub: public long JournalStatus$Scrub.records()
  JournalStatus$Scrub: public static final record JournalStatus$Scrub(long endedAtMillis, long records, int faults) extends Record
  JournalStatus$State: public static JournalStatus$State JournalStatus$State.valueOf(String)
  JournalStatus$State: public static JournalStatus$State[] JournalStatus$State.values()
  JournalStatus$State: public static final JournalStatus$State JournalStatus$State.DISK_FULL
  JournalStatus$State: public static final JournalStatus$State JournalStatus$State.OPEN
  JournalStatus$State: public static final JournalStatus$State JournalStatus$State.READ_ONLY
  JournalStatus$State: public static final JournalStatus$State JournalStatus$State.STOPPED
  JournalStatus$State: public static final enum JournalStatus$State extends Enum<JournalStatus$State>
  JournalStatus: public JournalStatus$State JournalStatus.state()
  JournalStatus: public JournalStatus(JournalStatus$State,String,long,long,long,int)
  JournalStatus: public JournalStatus(JournalStatus$State,String,long,long,long,int,Optional<JournalStatus$Scrub>)
  JournalStatus: public Optional<JournalStatus$Scrub> JournalStatus.scrub()
  JournalStatus: public String JournalStatus.detail()
  JournalStatus: public final String JournalStatus.toString()
  JournalStatus: public final boolean JournalStatus.equals(Object)
  JournalStatus: public final int JournalStatus.hashCode()
  JournalStatus: public final record JournalStatus(JournalStatus$State state, String detail, long databaseBytes, long freeBytes, long recordCount, int schemaVersion, Optional scrub) extends Record
  JournalStatus: public int JournalStatus.schemaVersion()
  JournalStatus: public long JournalStatus.databaseBytes()
  JournalStatus: public long JournalStatus.freeBytes()
  JournalStatus: public long JournalStatus.recordCount()
  Lease: public Lease(String,String,long,long)
  Lease: public Lease(String,String,long,long,boolean)
  Lease: public String Lease.name()
  Lease: public String Lease.owner()
  Lease: public boolean Lease.abandoned()
  Lease: public final String Lease.toString()
  Lease: public final boolean Lease.equals(Object)
  Lease: public final int Lease.hashCode()
  Lease: public final record Lease(String name, String owner, long epoch, long expiresAtMillis, boolean abandoned) extends Record
  Lease: public long Lease.epoch()
  Lease: public long Lease.expiresAtMillis()
  LiveFeed$Subscription: public abstract static interface LiveFeed$Subscription implements AutoCloseable
  LiveFeed$Subscription: public abstract void LiveFeed$Subscription.close()
  LiveFeed: public abstract LiveFeed$Subscription LiveFeed.subscribe(String,java.util.function.Consumer<FeedItem>)
  LiveFeed: public abstract interface LiveFeed
  LiveFeed: public abstract void LiveFeed.publish(FeedItem$LiveText)
  LiveFeed: public static final String LiveFeed.ANY
  Operation$Append: public Operation$Append(String,String,int,byte[])
  Operation$Append: public String Operation$Append.streamId()
  Operation$Append: public String Operation$Append.type()
  Operation$Append: public byte[] Operation$Append.payload()
  Operation$Append: public final String Operation$Append.toString()
  Operation$Append: public final boolean Operation$Append.equals(Object)
  Operation$Append: public final int Operation$Append.hashCode()
  Operation$Append: public int Operation$Append.schema()
  Operation$Append: public static final record Operation$Append(String streamId, String type, int schema, byte[] payload) extends Record implements Operation
  Operation$ArchiveSession: public Operation$ArchiveSession(String)
  Operation$ArchiveSession: public String Operation$ArchiveSession.sessionId()
  Operation$ArchiveSession: public final String Operation$ArchiveSession.toString()
  Operation$ArchiveSession: public final boolean Operation$ArchiveSession.equals(Object)
  Operation$ArchiveSession: public final int Operation$ArchiveSession.hashCode()
  Operation$ArchiveSession: public static final record Operation$ArchiveSession(String sessionId) extends Record implements Operation
  Operation$BindSession: public Operation$BindSession(String,String)
  Operation$BindSession: public String Operation$BindSession.agentId()
  Operation$BindSession: public String Operation$BindSession.sessionId()
  Operation$BindSession: public final String Operation$BindSession.toString()
  Operation$BindSession: public final boolean Operation$BindSession.equals(Object)
  Operation$BindSession: public final int Operation$BindSession.hashCode()
  Operation$BindSession: public static final record Operation$BindSession(String sessionId, String agentId) extends Record implements Operation
  Operation$ClaimRun: public Operation$ClaimRun(String,long)
  Operation$ClaimRun: public Operation$ClaimRun(String,long,boolean)
  Operation$ClaimRun: public String Operation$ClaimRun.runId()
  Operation$ClaimRun: public boolean Operation$ClaimRun.afterCrash()
  Operation$ClaimRun: public final String Operation$ClaimRun.toString()
  Operation$ClaimRun: public final boolean Operation$ClaimRun.equals(Object)
  Operation$ClaimRun: public final int Operation$ClaimRun.hashCode()
  Operation$ClaimRun: public long Operation$ClaimRun.epoch()
  Operation$ClaimRun: public static final record Operation$ClaimRun(String runId, long epoch, boolean afterCrash) extends Record implements Operation
  Operation$DecideApproval: public ApprovalRow$State Operation$DecideApproval.state()
  Operation$DecideApproval: public Operation$DecideApproval(String,ApprovalRow$State,String)
  Operation$DecideApproval: public Operation$DecideApproval(String,ApprovalRow$State,String,byte[])
  Operation$DecideApproval: public String Operation$DecideApproval.approvalId()
  Operation$DecideApproval: public String Operation$DecideApproval.decidedBy()
  Operation$DecideApproval: public byte[] Operation$DecideApproval.decision()
  Operation$DecideApproval: public final String Operation$DecideApproval.toString()
  Operation$DecideApproval: public final boolean Operation$DecideApproval.equals(Object)
  Operation$DecideApproval: public final int Operation$DecideApproval.hashCode()
  Operation$DecideApproval: public static final record Operation$DecideApproval(String approvalId, ApprovalRow$State state, String decidedBy, byte[] decision) extends Record implements Operation
  Operation$DeleteDocument: public Operation$DeleteDocument(String,String)
  Operation$DeleteDocument: public String Operation$DeleteDocument.collection()
  Operation$DeleteDocument: public String Operation$DeleteDocument.key()
  Operation$DeleteDocument: public final String Operation$DeleteDocument.toString()
  Operation$DeleteDocument: public final boolean Operation$DeleteDocument.equals(Object)
  Operation$DeleteDocument: public final int Operation$DeleteDocument.hashCode()
  Operation$DeleteDocument: public static final record Operation$DeleteDocument(String collection, String key) extends Record implements Operation
  Operation$DropSettled: public Operation$DropSettled(SettledKind,String,long)
  Operation$DropSettled: public SettledKind Operation$DropSettled.kind()
  Operation$DropSettled: public String Operation$DropSettled.id()
  Operation$DropSettled: public final String Operation$DropSettled.toString()
  Operation$DropSettled: public final boolean Operation$DropSettled.equals(Object)
  Operation$DropSettled: public final int Operation$DropSettled.hashCode()
  Operation$DropSettled: public long Operation$DropSettled.beforeMillis()
  Operation$DropSettled: public static final record Operation$DropSettled(SettledKind kind, String id, long beforeMillis) extends Record implements Operation
  Operation$ErasePayload: public Operation$ErasePayload(String,long)
  Operation$ErasePayload: public String Operation$ErasePayload.streamId()
  Operation$ErasePayload: public final String Operation$ErasePayload.toString()
  Operation$ErasePayload: public final boolean Operation$ErasePayload.equals(Object)
  Operation$ErasePayload: public final int Operation$ErasePayload.hashCode()
  Operation$ErasePayload: public long Operation$ErasePayload.seq()
  Operation$ErasePayload: public static final record Operation$ErasePayload(String streamId, long seq) extends Record implements Operation
  Operation$FinishCommand: public Operation$FinishCommand(String,String)
  Operation$FinishCommand: public String Operation$FinishCommand.commandId()
  Operation$FinishCommand: public String Operation$FinishCommand.result()
  Operation$FinishCommand: public final String Operation$FinishCommand.toString()
  Operation$FinishCommand: public final boolean Operation$FinishCommand.equals(Object)
  Operation$FinishCommand: public final int Operation$FinishCommand.hashCode()
  Operation$FinishCommand: public static final record Operation$FinishCommand(String commandId, String result) extends Record implements Operation
  Operation$InsertRun: public Operation$InsertRun(String,String,String,String,String,String,String,palyra.api.run.RunState,long)
  Operation$InsertRun: public String Operation$InsertRun.agentId()
  Operation$InsertRun: public String Operation$InsertRun.messageId()
  Operation$InsertRun: public String Operation$InsertRun.originKind()
  Operation$InsertRun: public String Operation$InsertRun.principal()
  Operation$InsertRun: public String Operation$InsertRun.runId()
  Operation$InsertRun: public String Operation$InsertRun.sessionId()
  Operation$InsertRun: public String Operation$InsertRun.surface()
  Operation$InsertRun: public final String Operation$InsertRun.toString()
  Operation$InsertRun: public final boolean Operation$InsertRun.equals(Object)
  Operation$InsertRun: public final int Operation$InsertRun.hashCode()
  Operation$InsertRun: public long Operation$InsertRun.epoch()
  Operation$InsertRun: public palyra.api.run.RunState Operation$InsertRun.state()
  Operation$InsertRun: public static final record Operation$InsertRun(String runId, String sessionId, String principal, String agentId, String originKind, String messageId, String surface, palyra.api.run.RunState state, long epoch) extends Record implements Operation
  Operation$InsertSession: public Operation$InsertSession(palyra.api.run.SessionView)
  Operation$InsertSession: public final String Operation$InsertSession.toString()
  Operation$InsertSession: public final boolean Operation$InsertSession.equals(Object)
  Operation$InsertSession: public final int Operation$InsertSession.hashCode()
  Operation$InsertSession: public palyra.api.run.SessionView Operation$InsertSession.session()
  Operation$InsertSession: public static final record Operation$InsertSession(palyra.api.run.SessionView session) extends Record implements Operation
  Operation$MoveOutbox: public Operation$MoveOutbox(String,OutboxRow$State,OutboxRow$State)
  Operation$MoveOutbox: public Operation$MoveOutbox(String,OutboxRow$State,OutboxRow$State,OutboxProgress)
  Operation$MoveOutbox: public OutboxProgress Operation$MoveOutbox.progress()
  Operation$MoveOutbox: public OutboxRow$State Operation$MoveOutbox.from()
  Operation$MoveOutbox: public OutboxRow$State Operation$MoveOutbox.to()
  Operation$MoveOutbox: public String Operation$MoveOutbox.outboxId()
  Operation$MoveOutbox: public final String Operation$MoveOutbox.toString()
  Operation$MoveOutbox: public final boolean Operation$MoveOutbox.equals(Object)
  Operation$MoveOutbox: public final int Operation$MoveOutbox.hashCode()
  Operation$MoveOutbox: public static final record Operation$MoveOutbox(String outboxId, OutboxRow$State from, OutboxRow$State to, OutboxProgress progress) extends Record implements Operation
  Operation$MoveRun: public Operation$MoveRun(String,Set<palyra.api.run.RunState>,palyra.api.run.RunState,String)
  Operation$MoveRun: public Set<palyra.api.run.RunState> Operation$MoveRun.from()
  Operation$MoveRun: public String Operation$MoveRun.reason()
  Operation$MoveRun: public String Operation$MoveRun.runId()
  Operation$MoveRun: public final String Operation$MoveRun.toString()
  Operation$MoveRun: public final boolean Operation$MoveRun.equals(Object)
  Operation$MoveRun: public final int Operation$MoveRun.hashCode()
  Operation$MoveRun: public palyra.api.run.RunState Operation$MoveRun.to()
  Operation$MoveRun: public static final record Operation$MoveRun(String runId, Set from, palyra.api.run.RunState to, String reason) extends Record implements Operation
  Operation$NoteApproval: public Operation$NoteApproval(String,int,long)
  Operation$NoteApproval: public String Operation$NoteApproval.approvalId()
  Operation$NoteApproval: public final String Operation$NoteApproval.toString()
  Operation$NoteApproval: public final boolean Operation$NoteApproval.equals(Object)
  Operation$NoteApproval: public final int Operation$NoteApproval.hashCode()
  Operation$NoteApproval: public int Operation$NoteApproval.notices()
  Operation$NoteApproval: public long Operation$NoteApproval.nextAtMillis()
  Operation$NoteApproval: public static final record Operation$NoteApproval(String approvalId, int notices, long nextAtMillis) extends Record implements Operation
  Operation$NoteAttempts: public Operation$NoteAttempts(String,int)
  Operation$NoteAttempts: public String Operation$NoteAttempts.runId()
  Operation$NoteAttempts: public final String Operation$NoteAttempts.toString()
  Operation$NoteAttempts: public final boolean Operation$NoteAttempts.equals(Object)
  Operation$NoteAttempts: public final int Operation$NoteAttempts.hashCode()
  Operation$NoteAttempts: public int Operation$NoteAttempts.attempts()
  Operation$NoteAttempts: public static final record Operation$NoteAttempts(String runId, int attempts) extends Record implements Operation
  Operation$NoteBudget: public BudgetAmount Operation$NoteBudget.cap()
  Operation$NoteBudget: public Operation$NoteBudget(String,String,String,BudgetAmount,int)
  Operation$NoteBudget: public String Operation$NoteBudget.budget()
  Operation$NoteBudget: public String Operation$NoteBudget.period()
  Operation$NoteBudget: public String Operation$NoteBudget.subject()
  Operation$NoteBudget: public final String Operation$NoteBudget.toString()
  Operation$NoteBudget: public final boolean Operation$NoteBudget.equals(Object)
  Operation$NoteBudget: public final int Operation$NoteBudget.hashCode()
  Operation$NoteBudget: public int Operation$NoteBudget.percent()
  Operation$NoteBudget: public static final record Operation$NoteBudget(String budget, String subject, String period, BudgetAmount cap, int percent) extends Record implements Operation
  Operation$NoteRunPayloads: public Operation$NoteRunPayloads(String,RunPayloads)
  Operation$NoteRunPayloads: public RunPayloads Operation$NoteRunPayloads.left()
  Operation$NoteRunPayloads: public String Operation$NoteRunPayloads.runId()
  Operation$NoteRunPayloads: public final String Operation$NoteRunPayloads.toString()
  Operation$NoteRunPayloads: public final boolean Operation$NoteRunPayloads.equals(Object)
  Operation$NoteRunPayloads: public final int Operation$NoteRunPayloads.hashCode()
  Operation$NoteRunPayloads: public static final record Operation$NoteRunPayloads(String runId, RunPayloads left) extends Record implements Operation
  Operation$PutApproval: public ApprovalRow Operation$PutApproval.row()
  Operation$PutApproval: public Operation$PutApproval(ApprovalRow)
  Operation$PutApproval: public final String Operation$PutApproval.toString()
  Operation$PutApproval: public final boolean Operation$PutApproval.equals(Object)
  Operation$PutApproval: public final int Operation$PutApproval.hashCode()
  Operation$PutApproval: public static final record Operation$PutApproval(ApprovalRow row) extends Record implements Operation
  Operation$PutCommand: public CommandRow Operation$PutCommand.row()
  Operation$PutCommand: public Operation$PutCommand(CommandRow)
  Operation$PutCommand: public final String Operation$PutCommand.toString()
  Operation$PutCommand: public final boolean Operation$PutCommand.equals(Object)
  Operation$PutCommand: public final int Operation$PutCommand.hashCode()
  Operation$PutCommand: public static final record Operation$PutCommand(CommandRow row) extends Record implements Operation
  Operation$PutDocument: public Operation$PutDocument(String,String,byte[])
  Operation$PutDocument: public String Operation$PutDocument.collection()
  Operation$PutDocument: public String Operation$PutDocument.key()
  Operation$PutDocument: public byte[] Operation$PutDocument.content()
  Operation$PutDocument: public final String Operation$PutDocument.toString()
  Operation$PutDocument: public final boolean Operation$PutDocument.equals(Object)
  Operation$PutDocument: public final int Operation$PutDocument.hashCode()
  Operation$PutDocument: public static final record Operation$PutDocument(String collection, String key, byte[] content) extends Record implements Operation
  Operation$PutGrant: public GrantRow Operation$PutGrant.row()
  Operation$PutGrant: public Operation$PutGrant(GrantRow)
  Operation$PutGrant: public final String Operation$PutGrant.toString()
  Operation$PutGrant: public final boolean Operation$PutGrant.equals(Object)
  Operation$PutGrant: public final int Operation$PutGrant.hashCode()
  Operation$PutGrant: public static final record Operation$PutGrant(GrantRow row) extends Record implements Operation
  Operation$PutInbox: public InboxRow Operation$PutInbox.row()
  Operation$PutInbox: public Operation$PutInbox(InboxRow)
  Operation$PutInbox: public final String Operation$PutInbox.toString()
  Operation$PutInbox: public final boolean Operation$PutInbox.equals(Object)
  Operation$PutInbox: public final int Operation$PutInbox.hashCode()
  Operation$PutInbox: public static final record Operation$PutInbox(InboxRow row) extends Record implements Operation
  Operation$PutOutbox: public Operation$PutOutbox(OutboxRow)
  Operation$PutOutbox: public OutboxRow Operation$PutOutbox.row()
  Operation$PutOutbox: public final String Operation$PutOutbox.toString()
  Operation$PutOutbox: public final boolean Operation$PutOutbox.equals(Object)
  Operation$PutOutbox: public final int Operation$PutOutbox.hashCode()
  Operation$PutOutbox: public static final record Operation$PutOutbox(OutboxRow row) extends Record implements Operation
  Operation$PutSnapshot: public Operation$PutSnapshot(RunSnapshot)
  Operation$PutSnapshot: public RunSnapshot Operation$PutSnapshot.snapshot()
  Operation$PutSnapshot: public final String Operation$PutSnapshot.toString()
  Operation$PutSnapshot: public final boolean Operation$PutSnapshot.equals(Object)
  Operation$PutSnapshot: public final int Operation$PutSnapshot.hashCode()
  Operation$PutSnapshot: public static final record Operation$PutSnapshot(RunSnapshot snapshot) extends Record implements Operation
  Operation$ReserveBudget: public List<BudgetClaim> Operation$ReserveBudget.claims()
  Operation$ReserveBudget: public Operation$ReserveBudget(String,String,List<BudgetClaim>)
  Operation$ReserveBudget: public String Operation$ReserveBudget.reservationId()
  Operation$ReserveBudget: public String Operation$ReserveBudget.runId()
  Operation$ReserveBudget: public final String Operation$ReserveBudget.toString()
  Operation$ReserveBudget: public final boolean Operation$ReserveBudget.equals(Object)
  Operation$ReserveBudget: public final int Operation$ReserveBudget.hashCode()
  Operation$ReserveBudget: public static final record Operation$ReserveBudget(String reservationId, String runId, List claims) extends Record implements Operation
  Operation$RevokeGrant: public Operation$RevokeGrant(String,String)
  Operation$RevokeGrant: public String Operation$RevokeGrant.by()
  Operation$RevokeGrant: public String Operation$RevokeGrant.grantId()
  Operation$RevokeGrant: public final String Operation$RevokeGrant.toString()
  Operation$RevokeGrant: public final boolean Operation$RevokeGrant.equals(Object)
  Operation$RevokeGrant: public final int Operation$RevokeGrant.hashCode()
  Operation$RevokeGrant: public static final record Operation$RevokeGrant(String grantId, String by) extends Record implements Operation
  Operation$RewriteOutbox: public Operation$RewriteOutbox(String,byte[])
  Operation$RewriteOutbox: public String Operation$RewriteOutbox.outboxId()
  Operation$RewriteOutbox: public byte[] Operation$RewriteOutbox.payload()
  Operation$RewriteOutbox: public final String Operation$RewriteOutbox.toString()
  Operation$RewriteOutbox: public final boolean Operation$RewriteOutbox.equals(Object)
  Operation$RewriteOutbox: public final int Operation$RewriteOutbox.hashCode()
  Operation$RewriteOutbox: public static final record Operation$RewriteOutbox(String outboxId, byte[] payload) extends Record implements Operation
  Operation$SettleBudget: public BudgetAmount Operation$SettleBudget.used()
  Operation$SettleBudget: public Operation$SettleBudget(String,BudgetAmount)
  Operation$SettleBudget: public String Operation$SettleBudget.reservationId()
  Operation$SettleBudget: public final String Operation$SettleBudget.toString()
  Operation$SettleBudget: public final boolean Operation$SettleBudget.equals(Object)
  Operation$SettleBudget: public final int Operation$SettleBudget.hashCode()
  Operation$SettleBudget: public static Operation$SettleBudget Operation$SettleBudget.whole(String)
  Operation$SettleBudget: public static final record Operation$SettleBudget(String reservationId, BudgetAmount used) extends Record implements Operation
  Operation$SettleInbox: public InboxRow$State Operation$SettleInbox.state()
  Operation$SettleInbox: public Operation$SettleInbox(String,InboxRow$State,String,String)
  Operation$SettleInbox: public String Operation$SettleInbox.messageId()
  Operation$SettleInbox: public String Operation$SettleInbox.reason()
  Operation$SettleInbox: public String Operation$SettleInbox.runId()
  Operation$SettleInbox: public final String Operation$SettleInbox.toString()
  Operation$SettleInbox: public final boolean Operation$SettleInbox.equals(Object)
  Operation$SettleInbox: public final int Operation$SettleInbox.hashCode()
  Operation$SettleInbox: public static final record Operation$SettleInbox(String messageId, InboxRow$State state, String runId, String reason) extends Record implements Operation
  Operation$UseGrant: public Operation$UseGrant(String,String,int)
  Operation$UseGrant: public String Operation$UseGrant.callId()
  Operation$UseGrant: public String Operation$UseGrant.grantId()
  Operation$UseGrant: public final String Operation$UseGrant.toString()
  Operation$UseGrant: public final boolean Operation$UseGrant.equals(Object)
  Operation$UseGrant: public final int Operation$UseGrant.hashCode()
  Operation$UseGrant: public int Operation$UseGrant.attempt()
  Operation$UseGrant: public static final record Operation$UseGrant(String grantId, String callId, int attempt) extends Record implements Operation
  Operation$VoteApproval: public Operation$VoteApproval(String,String,byte[])
  Operation$VoteApproval: public String Operation$VoteApproval.approvalId()
  Operation$VoteApproval: public String Operation$VoteApproval.principal()
  Operation$VoteApproval: public byte[] Operation$VoteApproval.payload()
  Operation$VoteApproval: public final String Operation$VoteApproval.toString()
  Operation$VoteApproval: public final boolean Operation$VoteApproval.equals(Object)
  Operation$VoteApproval: public final int Operation$VoteApproval.hashCode()
  Operation$VoteApproval: public static final record Operation$VoteApproval(String approvalId, String principal, byte[] payload) extends Record implements Operation
  Operation: public abstract sealed interface Operation permits Operation$Append, Operation$ArchiveSession, Operation$BindSession, Operation$ClaimRun, Operation$DecideApproval, Operation$DeleteDocument, Operation$DropSettled, Operation$ErasePayload, Operation$FinishCommand, Operation$InsertRun, Operation$InsertSession, Operation$MoveOutbox, Operation$MoveRun, Operation$NoteApproval, Operation$NoteAttempts, Operation$NoteBudget, Operation$NoteRunPayloads, Operation$PutApproval, Operation$PutCommand, Operation$PutDocument, Operation$PutGrant, Operation$PutInbox, Operation$PutOutbox, Operation$PutSnapshot, Operation$ReserveBudget, Operation$RevokeGrant, Operation$RewriteOutbox, Operation$SettleBudget, Operation$SettleInbox, Operation$UseGrant, Operation$VoteApproval
  OutboxProgress: public List<String> OutboxProgress.sentIds()
  OutboxProgress: public OutboxProgress OutboxProgress.begunBy(String,long)
  OutboxProgress: public OutboxProgress OutboxProgress.retryAt(long,String)
  OutboxProgress: public OutboxProgress OutboxProgress.sent(String)
  OutboxProgress: public OutboxProgress OutboxProgress.withAttempts(int)
  OutboxProgress: public OutboxProgress(int,int,long,String,List<String>,String,long)
  OutboxProgress: public String OutboxProgress.owner()
  OutboxProgress: public String OutboxProgress.reason()
  OutboxProgress: public final String OutboxProgress.toString()
  OutboxProgress: public final boolean OutboxProgress.equals(Object)
  OutboxProgress: public final int OutboxProgress.hashCode()
  OutboxProgress: public final record OutboxProgress(int part, int attempts, long nextAttemptAtMillis, String reason, List sentIds, String owner, long epoch) extends Record
  OutboxProgress: public int OutboxProgress.attempts()
  OutboxProgress: public int OutboxProgress.part()
  OutboxProgress: public long OutboxProgress.epoch()
  OutboxProgress: public long OutboxProgress.nextAttemptAtMillis()
  OutboxProgress: public static final OutboxProgress OutboxProgress.NONE
  OutboxProgress: public static final int OutboxProgress.MOST_PARTS
  OutboxRow$State: public static OutboxRow$State OutboxRow$State.valueOf(String)
  OutboxRow$State: public static OutboxRow$State[] OutboxRow$State.values()
  OutboxRow$State: public static final OutboxRow$State OutboxRow$State.FAILED
  OutboxRow$State: public static final OutboxRow$State OutboxRow$State.PENDING
  OutboxRow$State: public static final OutboxRow$State OutboxRow$State.READABLE
  OutboxRow$State: public static final OutboxRow$State OutboxRow$State.SENDING
  OutboxRow$State: public static final OutboxRow$State OutboxRow$State.SENT
  OutboxRow$State: public static final OutboxRow$State OutboxRow$State.UNKNOWN
  OutboxRow$State: public static final OutboxRow$State OutboxRow$State.WITHDRAWN
  OutboxRow$State: public static final enum OutboxRow$State extends Enum<OutboxRow$State>
  OutboxRow: public OutboxProgress OutboxRow.progress()
  OutboxRow: public OutboxRow$State OutboxRow.state()
  OutboxRow: public OutboxRow(String,String,String,String,byte[],OutboxRow$State,OutboxProgress,long,long)
  OutboxRow: public OutboxRow(String,String,String,byte[],OutboxRow$State,int,long,long)
  OutboxRow: public String OutboxRow.orderKey()
  OutboxRow: public String OutboxRow.outboxId()
  OutboxRow: public String OutboxRow.runId()
  OutboxRow: public String OutboxRow.surface()
  OutboxRow: public byte[] OutboxRow.payload()
  OutboxRow: public final String OutboxRow.toString()
  OutboxRow: public final boolean OutboxRow.equals(Object)
  OutboxRow: public final int OutboxRow.hashCode()
  OutboxRow: public final record OutboxRow(String outboxId, String runId, String surface, String orderKey, byte[] payload, OutboxRow$State state, OutboxProgress progress, long createdAtMillis, long updatedAtMillis) extends Record
  OutboxRow: public int OutboxRow.attempts()
  OutboxRow: public long OutboxRow.createdAtMillis()
  OutboxRow: public long OutboxRow.updatedAtMillis()
  Precondition$ApprovalOpen: public Precondition$ApprovalOpen(String,int)
  Precondition$ApprovalOpen: public String Precondition$ApprovalOpen.approvalId()
  Precondition$ApprovalOpen: public final String Precondition$ApprovalOpen.toString()
  Precondition$ApprovalOpen: public final boolean Precondition$ApprovalOpen.equals(Object)
  Precondition$ApprovalOpen: public final int Precondition$ApprovalOpen.hashCode()
  Precondition$ApprovalOpen: public int Precondition$ApprovalOpen.votes()
  Precondition$ApprovalOpen: public static final record Precondition$ApprovalOpen(String approvalId, int votes) extends Record implements Precondition
  Precondition$DocumentAt: public Precondition$DocumentAt(String,String,long)
  Precondition$DocumentAt: public String Precondition$DocumentAt.collection()
  Precondition$DocumentAt: public String Precondition$DocumentAt.key()
  Precondition$DocumentAt: public final String Precondition$DocumentAt.toString()
  Precondition$DocumentAt: public final boolean Precondition$DocumentAt.equals(Object)
  Precondition$DocumentAt: public final int Precondition$DocumentAt.hashCode()
  Precondition$DocumentAt: public long Precondition$DocumentAt.version()
  Precondition$DocumentAt: public static final record Precondition$DocumentAt(String collection, String key, long version) extends Record implements Precondition
  Precondition$Epoch: public Precondition$Epoch(String,long)
  Precondition$Epoch: public String Precondition$Epoch.runId()
  Precondition$Epoch: public final String Precondition$Epoch.toString()
  Precondition$Epoch: public final boolean Precondition$Epoch.equals(Object)
  Precondition$Epoch: public final int Precondition$Epoch.hashCode()
  Precondition$Epoch: public long Precondition$Epoch.epoch()
  Precondition$Epoch: public static final record Precondition$Epoch(String runId, long epoch) extends Record implements Precondition
  Precondition$HoldsLease: public Precondition$HoldsLease(String,String,long)
  Precondition$HoldsLease: public String Precondition$HoldsLease.name()
  Precondition$HoldsLease: public String Precondition$HoldsLease.owner()
  Precondition$HoldsLease: public final String Precondition$HoldsLease.toString()
  Precondition$HoldsLease: public final boolean Precondition$HoldsLease.equals(Object)
  Precondition$HoldsLease: public final int Precondition$HoldsLease.hashCode()
  Precondition$HoldsLease: public long Precondition$HoldsLease.epoch()
  Precondition$HoldsLease: public static final record Precondition$HoldsLease(String name, String owner, long epoch) extends Record implements Precondition
  Precondition$InboxIn: public InboxRow$State Precondition$InboxIn.state()
  Precondition$InboxIn: public Precondition$InboxIn(String,InboxRow$State)
  Precondition$InboxIn: public String Precondition$InboxIn.messageId()
  Precondition$InboxIn: public final String Precondition$InboxIn.toString()
  Precondition$InboxIn: public final boolean Precondition$InboxIn.equals(Object)
  Precondition$InboxIn: public final int Precondition$InboxIn.hashCode()
  Precondition$InboxIn: public static final record Precondition$InboxIn(String messageId, InboxRow$State state) extends Record implements Precondition
  Precondition$QueueBelow: public Precondition$QueueBelow(int)
  Precondition$QueueBelow: public final String Precondition$QueueBelow.toString()
  Precondition$QueueBelow: public final boolean Precondition$QueueBelow.equals(Object)
  Precondition$QueueBelow: public final int Precondition$QueueBelow.hashCode()
  Precondition$QueueBelow: public int Precondition$QueueBelow.limit()
  Precondition$QueueBelow: public static final record Precondition$QueueBelow(int limit) extends Record implements Precondition
  Precondition$RunIn: public Precondition$RunIn(String,Set<palyra.api.run.RunState>)
  Precondition$RunIn: public Set<palyra.api.run.RunState> Precondition$RunIn.states()
  Precondition$RunIn: public String Precondition$RunIn.runId()
  Precondition$RunIn: public final String Precondition$RunIn.toString()
  Precondition$RunIn: public final boolean Precondition$RunIn.equals(Object)
  Precondition$RunIn: public final int Precondition$RunIn.hashCode()
  Precondition$RunIn: public static final record Precondition$RunIn(String runId, Set states) extends Record implements Precondition
  Precondition$SessionIdle: public Precondition$SessionIdle(String)
  Precondition$SessionIdle: public String Precondition$SessionIdle.sessionId()
  Precondition$SessionIdle: public final String Precondition$SessionIdle.toString()
  Precondition$SessionIdle: public final boolean Precondition$SessionIdle.equals(Object)
  Precondition$SessionIdle: public final int Precondition$SessionIdle.hashCode()
  Precondition$SessionIdle: public static final record Precondition$SessionIdle(String sessionId) extends Record implements Precondition
  Precondition$SessionLive: public Precondition$SessionLive(String)
  Precondition$SessionLive: public String Precondition$SessionLive.sessionId()
  Precondition$SessionLive: public final String Precondition$SessionLive.toString()
  Precondition$SessionLive: public final boolean Precondition$SessionLive.equals(Object)
  Precondition$SessionLive: public final int Precondition$SessionLive.hashCode()
  Precondition$SessionLive: public static final record Precondition$SessionLive(String sessionId) extends Record implements Precondition
  Precondition: public abstract sealed interface Precondition permits Precondition$ApprovalOpen, Precondition$DocumentAt, Precondition$Epoch, Precondition$HoldsLease, Precondition$InboxIn, Precondition$QueueBelow, Precondition$RunIn, Precondition$SessionIdle, Precondition$SessionLive
  RunLoss: public RunLoss(String,String,String,String)
  RunLoss: public String RunLoss.messageId()
  RunLoss: public String RunLoss.principal()
  RunLoss: public String RunLoss.runId()
  RunLoss: public String RunLoss.sentence()
  RunLoss: public final String RunLoss.toString()
  RunLoss: public final boolean RunLoss.equals(Object)
  RunLoss: public final int RunLoss.hashCode()
  RunLoss: public final record RunLoss(String runId, String principal, String messageId, String sentence) extends Record
  RunPayloads: public final enum RunPayloads extends Enum<RunPayloads>
  RunPayloads: public static RunPayloads RunPayloads.valueOf(String)
  RunPayloads: public static RunPayloads[] RunPayloads.values()
  RunPayloads: public static final RunPayloads RunPayloads.NONE
  RunPayloads: public static final RunPayloads RunPayloads.WHOLE
  RunPayloads: public static final RunPayloads RunPayloads.WITHOUT_STREAM
  RunRow: public Optional<Seal> RunRow.seal()
  RunRow: public RunRow(String,String,String,String,String,String,String,palyra.api.run.RunState,String,long,long,long,long,Optional<Seal>)
  RunRow: public RunRow(String,String,String,String,String,String,String,palyra.api.run.RunState,String,long,long,long,long,Optional<Seal>,int)
  RunRow: public RunRow(String,String,String,String,String,String,String,palyra.api.run.RunState,String,long,long,long,long,Optional<Seal>,int,boolean)
  RunRow: public String RunRow.agentId()
  RunRow: public String RunRow.messageId()
  RunRow: public String RunRow.originKind()
  RunRow: public String RunRow.principal()
  RunRow: public String RunRow.reason()
  RunRow: public String RunRow.runId()
  RunRow: public String RunRow.sessionId()
  RunRow: public String RunRow.surface()
  RunRow: public boolean RunRow.headLost()
  RunRow: public final String RunRow.toString()
  RunRow: public final boolean RunRow.equals(Object)
  RunRow: public final int RunRow.hashCode()
  RunRow: public final record RunRow(String runId, String sessionId, String principal, String agentId, String originKind, String messageId, String surface, palyra.api.run.RunState state, String reason, long epoch, long createdAtMillis, long updatedAtMillis, long headSeq, Optional seal, int attempts, boolean headLost) extends Record
  RunRow: public int RunRow.attempts()
  RunRow: public long RunRow.createdAtMillis()
  RunRow: public long RunRow.epoch()
  RunRow: public long RunRow.headSeq()
  RunRow: public long RunRow.updatedAtMillis()
  RunRow: public palyra.api.run.RunState RunRow.state()
  RunRow: public palyra.api.run.RunView RunRow.view()
  RunSnapshot: public RunSnapshot(String,long,int,byte[])
  RunSnapshot: public String RunSnapshot.runId()
  RunSnapshot: public byte[] RunSnapshot.content()
  RunSnapshot: public final String RunSnapshot.toString()
  RunSnapshot: public final boolean RunSnapshot.equals(Object)
  RunSnapshot: public final int RunSnapshot.hashCode()
  RunSnapshot: public final record RunSnapshot(String runId, long seq, int format, byte[] content) extends Record
  RunSnapshot: public int RunSnapshot.format()
  RunSnapshot: public long RunSnapshot.seq()
  RunSnapshot: public static final int RunSnapshot.MAX_BYTES
  Seal: public Seal(String,long,byte[],String,byte[])
  Seal: public String Seal.keyId()
  Seal: public String Seal.runId()
  Seal: public byte[] Seal.hash()
  Seal: public byte[] Seal.signature()
  Seal: public final String Seal.toString()
  Seal: public final boolean Seal.equals(Object)
  Seal: public final int Seal.hashCode()
  Seal: public final record Seal(String runId, long seq, byte[] hash, String keyId, byte[] signature) extends Record
  Seal: public long Seal.seq()
  SettledKind: public final enum SettledKind extends Enum<SettledKind>
  SettledKind: public static SettledKind SettledKind.valueOf(String)
  SettledKind: public static SettledKind[] SettledKind.values()
  SettledKind: public static final SettledKind SettledKind.ANSWER
  SettledKind: public static final SettledKind SettledKind.APPROVAL
  SettledKind: public static final SettledKind SettledKind.COMMAND
  SettledKind: public static final SettledKind SettledKind.GRANT
  SettledKind: public static final SettledKind SettledKind.MESSAGE
  TapeVerifier$Extent: public static TapeVerifier$Extent TapeVerifier$Extent.valueOf(String)
  TapeVerifier$Extent: public static TapeVerifier$Extent[] TapeVerifier$Extent.values()
  TapeVerifier$Extent: public static final TapeVerifier$Extent TapeVerifier$Extent.EVERYTHING
  TapeVerifier$Extent: public static final TapeVerifier$Extent TapeVerifier$Extent.NEW
  TapeVerifier$Extent: public static final enum TapeVerifier$Extent extends Enum<TapeVerifier$Extent>
  TapeVerifier$Progress: public abstract static interface TapeVerifier$Progress
  TapeVerifier$Progress: public abstract void TapeVerifier$Progress.verified(long,long)
  TapeVerifier$Progress: public static final TapeVerifier$Progress TapeVerifier$Progress.NONE
  TapeVerifier: public abstract VerificationReport TapeVerifier.verifyAll(TapeVerifier$Extent,TapeVerifier$Progress,java.util.function.BooleanSupplier)
  TapeVerifier: public abstract VerificationReport TapeVerifier.verifyRange(String,long,long,java.util.function.BooleanSupplier)
  TapeVerifier: public abstract VerificationReport TapeVerifier.verifyStream(String,java.util.function.BooleanSupplier)
  TapeVerifier: public abstract interface TapeVerifier
  TapeVerifier: public default VerificationReport TapeVerifier.verifyAll(java.util.function.BooleanSupplier)
  Unit$Builder: public Unit Unit$Builder.build()
  Unit$Builder: public Unit$Builder Unit$Builder.add(Operation)
  Unit$Builder: public Unit$Builder Unit$Builder.addAll(List<? extends Operation>)
  Unit$Builder: public Unit$Builder Unit$Builder.lane(Unit$Lane)
  Unit$Builder: public Unit$Builder Unit$Builder.once(IdempotencyKey,byte[])
  Unit$Builder: public Unit$Builder Unit$Builder.require(Precondition)
  Unit$Builder: public Unit$Builder Unit$Builder.step(String,String)
  Unit$Builder: public static final class Unit$Builder extends Object
  Unit$Lane: public static Unit$Lane Unit$Lane.valueOf(String)
  Unit$Lane: public static Unit$Lane[] Unit$Lane.values()
  Unit$Lane: public static final Unit$Lane Unit$Lane.BULK
  Unit$Lane: public static final Unit$Lane Unit$Lane.COMMAND
  Unit$Lane: public static final enum Unit$Lane extends Enum<Unit$Lane>
  Unit$Step: public String Unit$Step.key()
  Unit$Step: public String Unit$Step.streamId()
  Unit$Step: public Unit$Step(String,String)
  Unit$Step: public final String Unit$Step.toString()
  Unit$Step: public final boolean Unit$Step.equals(Object)
  Unit$Step: public final int Unit$Step.hashCode()
  Unit$Step: public static final record Unit$Step(String streamId, String key) extends Record
  Unit: public List<Operation> Unit.operations()
  Unit: public List<Precondition> Unit.preconditions()
  Unit: public Optional<IdempotencyKey> Unit.idempotencyKey()
  Unit: public Optional<Unit$Step> Unit.step()
  Unit: public Unit Unit.makingRoom()
  Unit: public Unit Unit.once(IdempotencyKey)
  Unit: public Unit$Lane Unit.lane()
  Unit: public Unit(Optional<IdempotencyKey>,byte[],List<Precondition>,List<Operation>,Unit$Lane)
  Unit: public Unit(Optional<IdempotencyKey>,byte[],List<Precondition>,List<Operation>,Unit$Lane,Optional<Unit$Step>,boolean)
  Unit: public boolean Unit.makesRoom()
  Unit: public byte[] Unit.result()
  Unit: public final String Unit.toString()
  Unit: public final boolean Unit.equals(Object)
  Unit: public final int Unit.hashCode()
  Unit: public final record Unit(Optional idempotencyKey, byte[] result, List preconditions, List operations, Unit$Lane lane, Optional step, boolean makesRoom) extends Record
  Unit: public static Unit Unit.of(Operation...)
  Unit: public static Unit$Builder Unit.builder()
  Unit: public static final int Unit.MAX_OPERATIONS
  VerificationReport$Fault: public String VerificationReport$Fault.detail()
  VerificationReport$Fault: public String VerificationReport$Fault.streamId()
  VerificationReport$Fault: public VerificationReport$Fault(String,long,VerificationReport$Kind,String)
  VerificationReport$Fault: public VerificationReport$Kind VerificationReport$Fault.kind()
  VerificationReport$Fault: public final String VerificationReport$Fault.toString()
  VerificationReport$Fault: public final boolean VerificationReport$Fault.equals(Object)
  VerificationReport$Fault: public final int VerificationReport$Fault.hashCode()
  VerificationReport$Fault: public long VerificationReport$Fault.seq()
  VerificationReport$Fault: public static final record VerificationReport$Fault(String streamId, long seq, VerificationReport$Kind kind, String detail) extends Record
  VerificationReport$Finding: public String VerificationReport$Finding.detail()
  VerificationReport$Finding: public String VerificationReport$Finding.runId()
  VerificationReport$Finding: public String VerificationReport$Finding.type()
  VerificationReport$Finding: public VerificationReport$Finding(String,long,String,String)
  VerificationReport$Finding: public final String VerificationReport$Finding.toString()
  VerificationReport$Finding: public final boolean VerificationReport$Finding.equals(Object)
  VerificationReport$Finding: public final int VerificationReport$Finding.hashCode()
  VerificationReport$Finding: public long VerificationReport$Finding.seq()
  VerificationReport$Finding: public static final record VerificationReport$Finding(String runId, long seq, String type, String detail) extends Record
  VerificationReport$Judgement: public List<VerificationReport$Finding> VerificationReport$Judgement.illegal()
  VerificationReport$Judgement: public Optional<VerificationReport$Finding> VerificationReport$Judgement.unknown()
  VerificationReport$Judgement: public VerificationReport$Judgement VerificationReport$Judgement.plus(VerificationReport$Judgement)
  VerificationReport$Judgement: public VerificationReport$Judgement(List<VerificationReport$Finding>,long,Optional<VerificationReport$Finding>)
  VerificationReport$Judgement: public boolean VerificationReport$Judgement.legal()
  VerificationReport$Judgement: public final String VerificationReport$Judgement.toString()
  VerificationReport$Judgement: public final boolean VerificationReport$Judgement.equals(Object)
  VerificationReport$Judgement: public final int VerificationReport$Judgement.hashCode()
  VerificationReport$Judgement: public long VerificationReport$Judgement.unjudged()
  VerificationReport$Judgement: public static final VerificationReport$Judgement VerificationReport$Judgement.NONE
  VerificationReport$Judgement: public static final int VerificationReport$Judgement.MOST
  VerificationReport$Judgement: public static final record VerificationReport$Judgement(List illegal, long unjudged, Optional unknown) extends Record
  VerificationReport$Kind: public static VerificationReport$Kind VerificationReport$Kind.valueOf(String)
  VerificationReport$Kind: public static VerificationReport$Kind[] VerificationReport$Kind.values()
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.CHECKPOINT
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.HASH
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.HEAD
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.LINK
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.PAYLOAD
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.SEQUENCE
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.SIGNATURE
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.UNREADABLE
  VerificationReport$Kind: public static final VerificationReport$Kind VerificationReport$Kind.UNSEALED
  VerificationReport$Kind: public static final enum VerificationReport$Kind extends Enum<VerificationReport$Kind>
  VerificationReport: public Optional<VerificationReport$Fault> VerificationReport.fault()
  VerificationReport: public VerificationReport VerificationReport.or(Optional<VerificationReport$Fault>)
  VerificationReport: public VerificationReport$Judgement VerificationReport.judgement()
  VerificationReport: public VerificationReport(long,long,long,long,boolean,Optional<VerificationReport$Fault>)
  VerificationReport: public VerificationReport(long,long,long,long,boolean,Optional<VerificationReport$Fault>,VerificationReport$Judgement)
  VerificationReport: public VerificationReport(long,long,long,long,boolean,Optional<VerificationReport$Fault>,VerificationReport$Judgement,long)
  VerificationReport: public boolean VerificationReport.complete()
  VerificationReport: public boolean VerificationReport.intact()
  VerificationReport: public final String VerificationReport.toString()
  VerificationReport: public final boolean VerificationReport.equals(Object)
  VerificationReport: public final int VerificationReport.hashCode()
  VerificationReport: public final record VerificationReport(long streams, long records, long withheld, long seals, boolean complete, Optional fault, VerificationReport$Judgement judgement, long earlier) extends Record
  VerificationReport: public long VerificationReport.earlier()
  VerificationReport: public long VerificationReport.records()
  VerificationReport: public long VerificationReport.seals()
  VerificationReport: public long VerificationReport.streams()
  VerificationReport: public long VerificationReport.withheld()
package palyra.api.core.keys 1.1.0
  BootSeal: public abstract boolean BootSeal.wanted()
  BootSeal: public abstract byte[] BootSeal.close(byte[])
  BootSeal: public abstract byte[] BootSeal.open(byte[])
  BootSeal: public abstract interface BootSeal
  KeyPurpose: public final enum KeyPurpose extends Enum<KeyPurpose>
  KeyPurpose: public static KeyPurpose KeyPurpose.valueOf(String)
  KeyPurpose: public static KeyPurpose[] KeyPurpose.values()
  KeyPurpose: public static final KeyPurpose KeyPurpose.ATTESTATION
  KeyPurpose: public static final KeyPurpose KeyPurpose.DATA_KEY
  KeyPurpose: public static final KeyPurpose KeyPurpose.TAPE_HEAD
  KeyPurpose: public static final KeyPurpose KeyPurpose.TOKEN_DIGEST
  KeySignature: public KeySignature(String,byte[])
  KeySignature: public String KeySignature.keyId()
  KeySignature: public byte[] KeySignature.signature()
  KeySignature: public final String KeySignature.toString()
  KeySignature: public final boolean KeySignature.equals(Object)
  KeySignature: public final int KeySignature.hashCode()
  KeySignature: public final record KeySignature(String keyId, byte[] signature) extends Record
  Keys: public abstract KeySignature Keys.sign(KeyPurpose,byte[])
  Keys: public abstract List<PublishedKey> Keys.published()
  Keys: public abstract PublishedKey Keys.rotate(KeyPurpose)
  Keys: public abstract boolean Keys.verify(KeyPurpose,byte[],KeySignature)
  Keys: public abstract byte[] Keys.mac(KeyPurpose,byte[])
  Keys: public abstract byte[] Keys.unwrap(byte[],byte[])
  Keys: public abstract byte[] Keys.wrap(byte[],byte[])
  Keys: public abstract interface Keys
  PublishedKey: public KeyPurpose PublishedKey.purpose()
  PublishedKey: public PublishedKey(String,KeyPurpose,String,long,long,String,String)
  PublishedKey: public String PublishedKey.keyId()
  PublishedKey: public String PublishedKey.publicKey()
  PublishedKey: public String PublishedKey.rotationSignature()
  PublishedKey: public String PublishedKey.successorKeyId()
  PublishedKey: public boolean PublishedKey.current()
  PublishedKey: public final String PublishedKey.toString()
  PublishedKey: public final boolean PublishedKey.equals(Object)
  PublishedKey: public final int PublishedKey.hashCode()
  PublishedKey: public final record PublishedKey(String keyId, KeyPurpose purpose, String publicKey, long createdAtMillis, long retiredAtMillis, String successorKeyId, String rotationSignature) extends Record
  PublishedKey: public long PublishedKey.createdAtMillis()
  PublishedKey: public long PublishedKey.retiredAtMillis()
package palyra.api.core.ops 1.5.0
  Endpoint: public abstract interface Endpoint
  Finding$Severity: public static Finding$Severity Finding$Severity.valueOf(String)
  Finding$Severity: public static Finding$Severity[] Finding$Severity.values()
  Finding$Severity: public static final Finding$Severity Finding$Severity.ERROR
  Finding$Severity: public static final Finding$Severity Finding$Severity.INFO
  Finding$Severity: public static final Finding$Severity Finding$Severity.WARNING
  Finding$Severity: public static final enum Finding$Severity extends Enum<Finding$Severity>
  Finding: public Finding$Severity Finding.severity()
  Finding: public Finding(Finding$Severity,String,String,String)
  Finding: public String Finding.area()
  Finding: public String Finding.message()
  Finding: public String Finding.remedy()
  Finding: public final String Finding.toString()
  Finding: public final boolean Finding.equals(Object)
  Finding: public final int Finding.hashCode()
  Finding: public final record Finding(Finding$Severity severity, String area, String message, String remedy) extends Record
  FindingSource: public abstract List<Finding> FindingSource.findings()
  FindingSource: public abstract interface FindingSource
  LoopSource: public abstract List<LoopView> LoopSource.loops()
  LoopSource: public abstract interface LoopSource
  LoopView$State: public static LoopView$State LoopView$State.valueOf(String)
  LoopView$State: public static LoopView$State[] LoopView$State.values()
  LoopView$State: public static final LoopView$State LoopView$State.BACKING_OFF
  LoopView$State: public static final LoopView$State LoopView$State.RUNNING
  LoopView$State: public static final LoopView$State LoopView$State.STALLED
  LoopView$State: public static final LoopView$State LoopView$State.STOPPED
  LoopView$State: public static final enum LoopView$State extends Enum<LoopView$State>
  LoopView: public LoopView$State LoopView.state()
  LoopView: public LoopView(String,String,boolean,LoopView$State,java.time.Instant,long,String,java.time.Instant,long)
  LoopView: public String LoopView.lastFailure()
  LoopView: public String LoopView.name()
  LoopView: public String LoopView.owner()
  LoopView: public boolean LoopView.essential()
  LoopView: public boolean LoopView.isFailing()
  LoopView: public final String LoopView.toString()
  LoopView: public final boolean LoopView.equals(Object)
  LoopView: public final int LoopView.hashCode()
  LoopView: public final record LoopView(String name, String owner, boolean essential, LoopView$State state, java.time.Instant since, long restarts, String lastFailure, java.time.Instant lastFailureAt, long beatAgeMillis) extends Record
  LoopView: public java.time.Instant LoopView.lastFailureAt()
  LoopView: public java.time.Instant LoopView.since()
  LoopView: public long LoopView.beatAgeMillis()
  LoopView: public long LoopView.restarts()
  Metric$Type: public static Metric$Type Metric$Type.valueOf(String)
  Metric$Type: public static Metric$Type[] Metric$Type.values()
  Metric$Type: public static final Metric$Type Metric$Type.COUNTER
  Metric$Type: public static final Metric$Type Metric$Type.GAUGE
  Metric$Type: public static final Metric$Type Metric$Type.HISTOGRAM
  Metric$Type: public static final enum Metric$Type extends Enum<Metric$Type>
  Metric: public Map<String, String> Metric.labels()
  Metric: public Metric$Type Metric.type()
  Metric: public Metric(String,String,Metric$Type,Map<String, String>,double)
  Metric: public String Metric.family()
  Metric: public String Metric.help()
  Metric: public String Metric.name()
  Metric: public double Metric.value()
  Metric: public final String Metric.toString()
  Metric: public final boolean Metric.equals(Object)
  Metric: public final int Metric.hashCode()
  Metric: public final record Metric(String name, String help, Metric$Type type, Map labels, double value) extends Record
  Metric: public static Metric Metric.counter(String,String,double)
  Metric: public static Metric Metric.gauge(String,String,double)
  MetricSource: public abstract List<Metric> MetricSource.metrics()
  MetricSource: public abstract interface MetricSource
  Ops: public final class Ops extends Object
  Ops: public static final String Ops.BOOT_ID
  Ops: public static final String Ops.ENDPOINT_FAILED
  Ops: public static final String Ops.ENDPOINT_NAME
  Ops: public static final String Ops.ENDPOINT_OPENING
  Ops: public static final String Ops.ENDPOINT_PROBLEM
  Ops: public static final String Ops.ENDPOINT_STATE
  Ops: public static final String Ops.ENDPOINT_URI
  Ops: public static final String Ops.HOME_FOLDER
  Ops: public static final String Ops.READY
  Ops: public static final String Ops.SAFE_MODE
  Ops: public static final String Ops.STATE_FOLDER
  Ops: public static final String Ops.WORKSPACES_FOLDER
  Readiness: public abstract interface Readiness
  Readiness: public abstract long Readiness.readyForMillis()
  ReadinessJudge: public abstract Map<String, String> ReadinessJudge.notReady()
  ReadinessJudge: public abstract interface ReadinessJudge
package palyra.api.core.policy 2.0.0
  Policies$PolicyText: public Policies$PolicyText(String,String)
  Policies$PolicyText: public String Policies$PolicyText.name()
  Policies$PolicyText: public String Policies$PolicyText.text()
  Policies$PolicyText: public final String Policies$PolicyText.toString()
  Policies$PolicyText: public final boolean Policies$PolicyText.equals(Object)
  Policies$PolicyText: public final int Policies$PolicyText.hashCode()
  Policies$PolicyText: public static final record Policies$PolicyText(String name, String text) extends Record
  Policies: public abstract List<Policies$PolicyText> Policies.texts(String)
  Policies: public abstract List<PolicySetView> Policies.history(int)
  Policies: public abstract PolicyReport Policies.apply(palyra.api.access.Permit,java.nio.file.Path,String)
  Policies: public abstract PolicyReport Policies.check(Optional<java.nio.file.Path>)
  Policies: public abstract PolicyReport Policies.reload(palyra.api.access.Permit,String)
  Policies: public abstract PolicyReport Policies.rollback(palyra.api.access.Permit,String)
  Policies: public abstract PolicyStatus Policies.status()
  Policies: public abstract interface Policies
  PolicyEngine: public abstract PolicySetView PolicyEngine.current()
  PolicyEngine: public abstract Set<String> PolicyEngine.usableTools(palyra.api.core.access.ToolPolicyRequest,List<palyra.api.tool.ToolDescriptor>)
  PolicyEngine: public abstract interface PolicyEngine
  PolicyEngine: public abstract palyra.api.core.access.PolicyDecision PolicyEngine.decide(palyra.api.core.access.AccessRequest)
  PolicyEngine: public abstract palyra.api.core.access.PolicyDecision PolicyEngine.decideTool(palyra.api.core.access.ToolPolicyRequest)
  PolicyProblem: public PolicyProblem(boolean,String,int,int,String,String,String,String)
  PolicyProblem: public String PolicyProblem.caretLine()
  PolicyProblem: public String PolicyProblem.file()
  PolicyProblem: public String PolicyProblem.help()
  PolicyProblem: public String PolicyProblem.message()
  PolicyProblem: public String PolicyProblem.sourceLine()
  PolicyProblem: public boolean PolicyProblem.error()
  PolicyProblem: public final String PolicyProblem.toString()
  PolicyProblem: public final boolean PolicyProblem.equals(Object)
  PolicyProblem: public final int PolicyProblem.hashCode()
  PolicyProblem: public final record PolicyProblem(boolean error, String file, int line, int column, String message, String help, String sourceLine, String caretLine) extends Record
  PolicyProblem: public int PolicyProblem.column()
  PolicyProblem: public int PolicyProblem.line()
  PolicyReport$Outcome: public static PolicyReport$Outcome PolicyReport$Outcome.valueOf(String)
  PolicyReport$Outcome: public static PolicyReport$Outcome[] PolicyReport$Outcome.values()
  PolicyReport$Outcome: public static final PolicyReport$Outcome PolicyReport$Outcome.APPLIED
  PolicyReport$Outcome: public static final PolicyReport$Outcome PolicyReport$Outcome.NEEDS_CONFIRMATION
  PolicyReport$Outcome: public static final PolicyReport$Outcome PolicyReport$Outcome.REFUSED
  PolicyReport$Outcome: public static final PolicyReport$Outcome PolicyReport$Outcome.UNCHANGED
  PolicyReport$Outcome: public static final PolicyReport$Outcome PolicyReport$Outcome.VALID
  PolicyReport$Outcome: public static final enum PolicyReport$Outcome extends Enum<PolicyReport$Outcome>
  PolicyReport: public List<PolicyProblem> PolicyReport.problems()
  PolicyReport: public List<String> PolicyReport.lost()
  PolicyReport: public PolicyReport$Outcome PolicyReport.outcome()
  PolicyReport: public PolicyReport(PolicyReport$Outcome,String,String,List<PolicyProblem>,List<String>,int,int,long)
  PolicyReport: public String PolicyReport.sha256()
  PolicyReport: public String PolicyReport.summary()
  PolicyReport: public final String PolicyReport.toString()
  PolicyReport: public final boolean PolicyReport.equals(Object)
  PolicyReport: public final int PolicyReport.hashCode()
  PolicyReport: public final record PolicyReport(PolicyReport$Outcome outcome, String sha256, String summary, List problems, List lost, int casesRun, int replayed, long millis) extends Record
  PolicyReport: public int PolicyReport.casesRun()
  PolicyReport: public int PolicyReport.replayed()
  PolicyReport: public long PolicyReport.millis()
  PolicySetView: public PolicySetView(String,long,int,int,String,long,String)
  PolicySetView: public String PolicySetView.loadedBy()
  PolicySetView: public String PolicySetView.origin()
  PolicySetView: public String PolicySetView.sha256()
  PolicySetView: public final String PolicySetView.toString()
  PolicySetView: public final boolean PolicySetView.equals(Object)
  PolicySetView: public final int PolicySetView.hashCode()
  PolicySetView: public final record PolicySetView(String sha256, long epoch, int policies, int files, String origin, long loadedAtMillis, String loadedBy) extends Record
  PolicySetView: public int PolicySetView.files()
  PolicySetView: public int PolicySetView.policies()
  PolicySetView: public long PolicySetView.epoch()
  PolicySetView: public long PolicySetView.loadedAtMillis()
  PolicyStatus: public List<PolicyProblem> PolicyStatus.warnings()
  PolicyStatus: public List<String> PolicyStatus.folders()
  PolicyStatus: public Optional<PolicyReport> PolicyStatus.refused()
  PolicyStatus: public Optional<PolicySetView> PolicyStatus.current()
  PolicyStatus: public PolicyStatus(Optional<PolicySetView>,String,String,boolean,Optional<PolicyReport>,List<PolicyProblem>,List<String>)
  PolicyStatus: public String PolicyStatus.engine()
  PolicyStatus: public String PolicyStatus.nativeEngine()
  PolicyStatus: public boolean PolicyStatus.held()
  PolicyStatus: public final String PolicyStatus.toString()
  PolicyStatus: public final boolean PolicyStatus.equals(Object)
  PolicyStatus: public final int PolicyStatus.hashCode()
  PolicyStatus: public final record PolicyStatus(Optional current, String engine, String nativeEngine, boolean held, Optional refused, List warnings, List folders) extends Record
package palyra.api.core.sandbox 4.1.0
  BackendStatus$State: public static BackendStatus$State BackendStatus$State.valueOf(String)
  BackendStatus$State: public static BackendStatus$State[] BackendStatus$State.values()
  BackendStatus$State: public static final BackendStatus$State BackendStatus$State.PROBING
  BackendStatus$State: public static final BackendStatus$State BackendStatus$State.READY
  BackendStatus$State: public static final BackendStatus$State BackendStatus$State.REFUSING
  BackendStatus$State: public static final enum BackendStatus$State extends Enum<BackendStatus$State>
  BackendStatus: public BackendStatus$State BackendStatus.state()
  BackendStatus: public BackendStatus(BackendStatus$State,String,String,Map<String, String>,String)
  BackendStatus: public Map<String, String> BackendStatus.facts()
  BackendStatus: public String BackendStatus.cause()
  BackendStatus: public String BackendStatus.fingerprint()
  BackendStatus: public String BackendStatus.remedy()
  BackendStatus: public final String BackendStatus.toString()
  BackendStatus: public final boolean BackendStatus.equals(Object)
  BackendStatus: public final int BackendStatus.hashCode()
  BackendStatus: public final record BackendStatus(BackendStatus$State state, String cause, String remedy, Map facts, String fingerprint) extends Record
  BackendStatus: public static BackendStatus BackendStatus.probing()
  BackendStatus: public static BackendStatus BackendStatus.ready(Map<String, String>,String)
  BackendStatus: public static BackendStatus BackendStatus.refusing(String,String,Map<String, String>)
  FolderCalls: public abstract HeldFolder FolderCalls.open(java.nio.file.Path) throws java.io.IOException
  FolderCalls: public abstract interface FolderCalls
  HeldFolder: public abstract HeldFolder HeldFolder.open(String) throws java.io.IOException
  HeldFolder: public abstract Optional<java.nio.file.Path> HeldFolder.current()
  HeldFolder: public abstract interface HeldFolder implements AutoCloseable
  HeldFolder: public abstract java.nio.file.Path HeldFolder.path()
  HeldFolder: public abstract void HeldFolder.close()
  HeldFolder: public abstract void HeldFolder.make(String,Set<java.nio.file.attribute.PosixFilePermission>) throws java.io.IOException
  HeldFolder: public abstract void HeldFolder.removeFile(String) throws java.io.IOException
  HeldFolder: public abstract void HeldFolder.removeFolder(String) throws java.io.IOException
  HostFacts: public HostFacts(String,String,String,long,String,int,boolean,boolean,String,Set<String>,String)
  HostFacts: public Set<String> HostFacts.cgroupControllers()
  HostFacts: public String HostFacts.arch()
  HostFacts: public String HostFacts.cgroup()
  HostFacts: public String HostFacts.kernel()
  HostFacts: public String HostFacts.os()
  HostFacts: public String HostFacts.problem()
  HostFacts: public String HostFacts.spawn()
  HostFacts: public boolean HostFacts.noNewPrivs()
  HostFacts: public boolean HostFacts.seccomp()
  HostFacts: public final String HostFacts.toString()
  HostFacts: public final boolean HostFacts.equals(Object)
  HostFacts: public final int HostFacts.hashCode()
  HostFacts: public final record HostFacts(String os, String arch, String kernel, long effectiveUid, String spawn, int landlockAbi, boolean seccomp, boolean noNewPrivs, String cgroup, Set cgroupControllers, String problem) extends Record
  HostFacts: public int HostFacts.landlockAbi()
  HostFacts: public long HostFacts.effectiveUid()
  LaunchPlan$Access: public static LaunchPlan$Access LaunchPlan$Access.valueOf(String)
  LaunchPlan$Access: public static LaunchPlan$Access[] LaunchPlan$Access.values()
  LaunchPlan$Access: public static final LaunchPlan$Access LaunchPlan$Access.DEVICE
  LaunchPlan$Access: public static final LaunchPlan$Access LaunchPlan$Access.EXECUTE
  LaunchPlan$Access: public static final LaunchPlan$Access LaunchPlan$Access.READ
  LaunchPlan$Access: public static final LaunchPlan$Access LaunchPlan$Access.WRITE
  LaunchPlan$Access: public static final enum LaunchPlan$Access extends Enum<LaunchPlan$Access>
  LaunchPlan$GroupLimits: public LaunchPlan$GroupLimits(long,int,boolean)
  LaunchPlan$GroupLimits: public boolean LaunchPlan$GroupLimits.required()
  LaunchPlan$GroupLimits: public final String LaunchPlan$GroupLimits.toString()
  LaunchPlan$GroupLimits: public final boolean LaunchPlan$GroupLimits.equals(Object)
  LaunchPlan$GroupLimits: public final int LaunchPlan$GroupLimits.hashCode()
  LaunchPlan$GroupLimits: public int LaunchPlan$GroupLimits.processes()
  LaunchPlan$GroupLimits: public long LaunchPlan$GroupLimits.memoryBytes()
  LaunchPlan$GroupLimits: public static final record LaunchPlan$GroupLimits(long memoryBytes, int processes, boolean required) extends Record
  LaunchPlan$Landlock: public LaunchPlan$Landlock(boolean,List<LaunchPlan$PathRule>,boolean,Set<Integer>,boolean)
  LaunchPlan$Landlock: public LaunchPlan$Landlock(boolean,List<LaunchPlan$PathRule>,boolean,Set<Integer>,boolean,boolean)
  LaunchPlan$Landlock: public List<LaunchPlan$PathRule> LaunchPlan$Landlock.paths()
  LaunchPlan$Landlock: public Set<Integer> LaunchPlan$Landlock.connectPorts()
  LaunchPlan$Landlock: public boolean LaunchPlan$Landlock.handleFiles()
  LaunchPlan$Landlock: public boolean LaunchPlan$Landlock.metadata()
  LaunchPlan$Landlock: public boolean LaunchPlan$Landlock.restrictTcp()
  LaunchPlan$Landlock: public boolean LaunchPlan$Landlock.scoped()
  LaunchPlan$Landlock: public final String LaunchPlan$Landlock.toString()
  LaunchPlan$Landlock: public final boolean LaunchPlan$Landlock.equals(Object)
  LaunchPlan$Landlock: public final int LaunchPlan$Landlock.hashCode()
  LaunchPlan$Landlock: public static final record LaunchPlan$Landlock(boolean handleFiles, List paths, boolean restrictTcp, Set connectPorts, boolean scoped, boolean metadata) extends Record
  LaunchPlan$Opened: public LaunchPlan$Opened(int,String)
  LaunchPlan$Opened: public String LaunchPlan$Opened.path()
  LaunchPlan$Opened: public final String LaunchPlan$Opened.toString()
  LaunchPlan$Opened: public final boolean LaunchPlan$Opened.equals(Object)
  LaunchPlan$Opened: public final int LaunchPlan$Opened.hashCode()
  LaunchPlan$Opened: public int LaunchPlan$Opened.descriptor()
  LaunchPlan$Opened: public static final record LaunchPlan$Opened(int descriptor, String path) extends Record
  LaunchPlan$Passed: public LaunchPlan$Passed(int,byte[])
  LaunchPlan$Passed: public byte[] LaunchPlan$Passed.content()
  LaunchPlan$Passed: public final String LaunchPlan$Passed.toString()
  LaunchPlan$Passed: public final boolean LaunchPlan$Passed.equals(Object)
  LaunchPlan$Passed: public final int LaunchPlan$Passed.hashCode()
  LaunchPlan$Passed: public int LaunchPlan$Passed.descriptor()
  LaunchPlan$Passed: public static final record LaunchPlan$Passed(int descriptor, byte[] content) extends Record
  LaunchPlan$PathRule: public LaunchPlan$Access LaunchPlan$PathRule.access()
  LaunchPlan$PathRule: public LaunchPlan$PathRule(String,LaunchPlan$Access)
  LaunchPlan$PathRule: public String LaunchPlan$PathRule.path()
  LaunchPlan$PathRule: public final String LaunchPlan$PathRule.toString()
  LaunchPlan$PathRule: public final boolean LaunchPlan$PathRule.equals(Object)
  LaunchPlan$PathRule: public final int LaunchPlan$PathRule.hashCode()
  LaunchPlan$PathRule: public static final record LaunchPlan$PathRule(String path, LaunchPlan$Access access) extends Record
  LaunchPlan$Rlimits: public LaunchPlan$Rlimits(long,long,long,int,int)
  LaunchPlan$Rlimits: public final String LaunchPlan$Rlimits.toString()
  LaunchPlan$Rlimits: public final boolean LaunchPlan$Rlimits.equals(Object)
  LaunchPlan$Rlimits: public final int LaunchPlan$Rlimits.hashCode()
  LaunchPlan$Rlimits: public int LaunchPlan$Rlimits.openFiles()
  LaunchPlan$Rlimits: public int LaunchPlan$Rlimits.processes()
  LaunchPlan$Rlimits: public long LaunchPlan$Rlimits.addressSpaceBytes()
  LaunchPlan$Rlimits: public long LaunchPlan$Rlimits.cpuSeconds()
  LaunchPlan$Rlimits: public long LaunchPlan$Rlimits.fileBytes()
  LaunchPlan$Rlimits: public static final record LaunchPlan$Rlimits(long cpuSeconds, long addressSpaceBytes, long fileBytes, int openFiles, int processes) extends Record
  LaunchPlan: public LaunchPlan$Rlimits LaunchPlan.rlimits()
  LaunchPlan: public LaunchPlan(String,List<String>,Map<String, String>,String,LaunchPlan$Rlimits,Optional<LaunchPlan$GroupLimits>,Optional<LaunchPlan$Landlock>,Optional<byte[]>,List<LaunchPlan$Passed>,List<LaunchPlan$Opened>,int,boolean,Optional<SandboxProcess>,String)
  LaunchPlan: public LaunchPlan(String,List<String>,Map<String, String>,String,LaunchPlan$Rlimits,Optional<LaunchPlan$GroupLimits>,Optional<LaunchPlan$Landlock>,Optional<byte[]>,List<LaunchPlan$Passed>,int,boolean,String)
  LaunchPlan: public List<LaunchPlan$Opened> LaunchPlan.opened()
  LaunchPlan: public List<LaunchPlan$Passed> LaunchPlan.passed()
  LaunchPlan: public List<String> LaunchPlan.argv()
  LaunchPlan: public Map<String, String> LaunchPlan.environment()
  LaunchPlan: public Optional<LaunchPlan$GroupLimits> LaunchPlan.group()
  LaunchPlan: public Optional<LaunchPlan$Landlock> LaunchPlan.landlock()
  LaunchPlan: public Optional<SandboxProcess> LaunchPlan.within()
  LaunchPlan: public Optional<byte[]> LaunchPlan.seccomp()
  LaunchPlan: public String LaunchPlan.callId()
  LaunchPlan: public String LaunchPlan.enforcement()
  LaunchPlan: public String LaunchPlan.workingFolder()
  LaunchPlan: public boolean LaunchPlan.stdinPiped()
  LaunchPlan: public final String LaunchPlan.toString()
  LaunchPlan: public final boolean LaunchPlan.equals(Object)
  LaunchPlan: public final int LaunchPlan.hashCode()
  LaunchPlan: public final record LaunchPlan(String callId, List argv, Map environment, String workingFolder, LaunchPlan$Rlimits rlimits, Optional group, Optional landlock, Optional seccomp, List passed, List opened, int statusDescriptor, boolean stdinPiped, Optional within, String enforcement) extends Record
  LaunchPlan: public int LaunchPlan.statusDescriptor()
  ProcessLauncher: public abstract HostFacts ProcessLauncher.host()
  ProcessLauncher: public abstract HostFacts ProcessLauncher.refresh()
  ProcessLauncher: public abstract SandboxProcess ProcessLauncher.launch(LaunchPlan)
  ProcessLauncher: public abstract interface ProcessLauncher
  SandboxBackend: public abstract BackendStatus SandboxBackend.probe()
  SandboxBackend: public abstract BackendStatus SandboxBackend.status()
  SandboxBackend: public abstract SandboxProcess SandboxBackend.start(SandboxSpec)
  SandboxBackend: public abstract String SandboxBackend.executor()
  SandboxBackend: public abstract interface SandboxBackend
  SandboxBackend: public abstract palyra.api.core.access.Confinement$Tier SandboxBackend.tier()
  SandboxBackend: public abstract void SandboxBackend.check(SandboxSpec)
  SandboxBackend: public default SandboxProcess SandboxBackend.hold(SandboxSpec)
  SandboxLimits: public SandboxLimits SandboxLimits.withWallMillis(long)
  SandboxLimits: public SandboxLimits(long,long,long,int,long,int,long,long)
  SandboxLimits: public final String SandboxLimits.toString()
  SandboxLimits: public final boolean SandboxLimits.equals(Object)
  SandboxLimits: public final int SandboxLimits.hashCode()
  SandboxLimits: public final record SandboxLimits(long wallMillis, long cpuMillis, long memoryBytes, int processes, long fileBytes, int openFiles, long outputBytes, long scratchBytes) extends Record
  SandboxLimits: public int SandboxLimits.openFiles()
  SandboxLimits: public int SandboxLimits.processes()
  SandboxLimits: public long SandboxLimits.cpuMillis()
  SandboxLimits: public long SandboxLimits.fileBytes()
  SandboxLimits: public long SandboxLimits.memoryBytes()
  SandboxLimits: public long SandboxLimits.outputBytes()
  SandboxLimits: public long SandboxLimits.scratchBytes()
  SandboxLimits: public long SandboxLimits.wallMillis()
  SandboxLimits: public static final SandboxLimits SandboxLimits.DEFAULT
  SandboxProcess$EndKind: public static SandboxProcess$EndKind SandboxProcess$EndKind.valueOf(String)
  SandboxProcess$EndKind: public static SandboxProcess$EndKind[] SandboxProcess$EndKind.values()
  SandboxProcess$EndKind: public static final SandboxProcess$EndKind SandboxProcess$EndKind.EXITED
  SandboxProcess$EndKind: public static final SandboxProcess$EndKind SandboxProcess$EndKind.SIGNALLED
  SandboxProcess$EndKind: public static final SandboxProcess$EndKind SandboxProcess$EndKind.UNKNOWN
  SandboxProcess$EndKind: public static final enum SandboxProcess$EndKind extends Enum<SandboxProcess$EndKind>
  SandboxProcess$ExitReport: public SandboxProcess$EndKind SandboxProcess$ExitReport.end()
  SandboxProcess$ExitReport: public SandboxProcess$ExitReport(boolean,int,String,boolean)
  SandboxProcess$ExitReport: public SandboxProcess$ExitReport(boolean,int,String,boolean,SandboxProcess$EndKind)
  SandboxProcess$ExitReport: public String SandboxProcess$ExitReport.problem()
  SandboxProcess$ExitReport: public boolean SandboxProcess$ExitReport.outOfMemory()
  SandboxProcess$ExitReport: public boolean SandboxProcess$ExitReport.started()
  SandboxProcess$ExitReport: public final String SandboxProcess$ExitReport.toString()
  SandboxProcess$ExitReport: public final boolean SandboxProcess$ExitReport.equals(Object)
  SandboxProcess$ExitReport: public final int SandboxProcess$ExitReport.hashCode()
  SandboxProcess$ExitReport: public int SandboxProcess$ExitReport.exitCode()
  SandboxProcess$ExitReport: public static final record SandboxProcess$ExitReport(boolean started, int exitCode, String problem, boolean outOfMemory, SandboxProcess$EndKind end) extends Record
  SandboxProcess$Usage: public SandboxProcess$Usage(long,long,boolean)
  SandboxProcess$Usage: public boolean SandboxProcess$Usage.wholeTree()
  SandboxProcess$Usage: public final String SandboxProcess$Usage.toString()
  SandboxProcess$Usage: public final boolean SandboxProcess$Usage.equals(Object)
  SandboxProcess$Usage: public final int SandboxProcess$Usage.hashCode()
  SandboxProcess$Usage: public long SandboxProcess$Usage.cpuMillis()
  SandboxProcess$Usage: public long SandboxProcess$Usage.peakMemoryBytes()
  SandboxProcess$Usage: public static final record SandboxProcess$Usage(long cpuMillis, long peakMemoryBytes, boolean wholeTree) extends Record
  SandboxProcess: public abstract Optional<SandboxProcess$ExitReport> SandboxProcess.await(long) throws InterruptedException
  SandboxProcess: public abstract SandboxProcess$Usage SandboxProcess.usage()
  SandboxProcess: public abstract String SandboxProcess.enforcement()
  SandboxProcess: public abstract int SandboxProcess.kill()
  SandboxProcess: public abstract interface SandboxProcess implements AutoCloseable
  SandboxProcess: public abstract java.io.InputStream SandboxProcess.stderr()
  SandboxProcess: public abstract java.io.InputStream SandboxProcess.stdout()
  SandboxProcess: public abstract java.io.OutputStream SandboxProcess.stdin()
  SandboxProcess: public abstract long SandboxProcess.pid()
  SandboxProcess: public abstract void SandboxProcess.close()
  SandboxProcess: public default long SandboxProcess.innerPid(long) throws InterruptedException
  SandboxSpec: public List<String> SandboxSpec.argv()
  SandboxSpec: public List<String> SandboxSpec.protectedPaths()
  SandboxSpec: public List<String> SandboxSpec.readOnlyPaths()
  SandboxSpec: public Map<String, String> SandboxSpec.environment()
  SandboxSpec: public Optional<SharedSandbox> SandboxSpec.shared()
  SandboxSpec: public Optional<String> SandboxSpec.proxyFolder()
  SandboxSpec: public SandboxLimits SandboxSpec.limits()
  SandboxSpec: public SandboxSpec SandboxSpec.in(SharedSandbox)
  SandboxSpec: public SandboxSpec SandboxSpec.withLimits(SandboxLimits)
  SandboxSpec: public SandboxSpec(String,List<String>,Map<String, String>,String,String,List<String>,List<String>,palyra.api.core.access.Confinement$Egress,Optional<String>,Set<Integer>,SandboxLimits,Set<String>,boolean)
  SandboxSpec: public SandboxSpec(String,List<String>,Map<String, String>,String,String,List<String>,List<String>,palyra.api.core.access.Confinement$Egress,Optional<String>,Set<Integer>,SandboxLimits,Set<String>,boolean,Optional<SharedSandbox>)
  SandboxSpec: public Set<Integer> SandboxSpec.forbiddenPorts()
  SandboxSpec: public Set<String> SandboxSpec.permitMissing()
  SandboxSpec: public String SandboxSpec.callId()
  SandboxSpec: public String SandboxSpec.workingFolder()
  SandboxSpec: public String SandboxSpec.workspace()
  SandboxSpec: public boolean SandboxSpec.stdinPiped()
  SandboxSpec: public final String SandboxSpec.toString()
  SandboxSpec: public final boolean SandboxSpec.equals(Object)
  SandboxSpec: public final int SandboxSpec.hashCode()
  SandboxSpec: public final record SandboxSpec(String callId, List argv, Map environment, String workspace, String workingFolder, List protectedPaths, List readOnlyPaths, palyra.api.core.access.Confinement$Egress egress, Optional proxyFolder, Set forbiddenPorts, SandboxLimits limits, Set permitMissing, boolean stdinPiped, Optional shared) extends Record
  SandboxSpec: public palyra.api.core.access.Confinement$Egress SandboxSpec.egress()
  SharedSandbox: public Optional<SandboxProcess> SharedSandbox.holder()
  SharedSandbox: public SharedSandbox SharedSandbox.heldBy(SandboxProcess)
  SharedSandbox: public SharedSandbox(String,String,String,Optional<SandboxProcess>)
  SharedSandbox: public String SharedSandbox.home()
  SharedSandbox: public String SharedSandbox.id()
  SharedSandbox: public String SharedSandbox.temporary()
  SharedSandbox: public final String SharedSandbox.toString()
  SharedSandbox: public final boolean SharedSandbox.equals(Object)
  SharedSandbox: public final int SharedSandbox.hashCode()
  SharedSandbox: public final record SharedSandbox(String id, String home, String temporary, Optional holder) extends Record
  WorkspaceFiles$Content: public String WorkspaceFiles$Content.path()
  WorkspaceFiles$Content: public WorkspaceFiles$Content(String,byte[])
  WorkspaceFiles$Content: public byte[] WorkspaceFiles$Content.bytes()
  WorkspaceFiles$Content: public final String WorkspaceFiles$Content.toString()
  WorkspaceFiles$Content: public final boolean WorkspaceFiles$Content.equals(Object)
  WorkspaceFiles$Content: public final int WorkspaceFiles$Content.hashCode()
  WorkspaceFiles$Content: public static final record WorkspaceFiles$Content(String path, byte[] bytes) extends Record
  WorkspaceFiles$Source: public abstract static interface WorkspaceFiles$Source
  WorkspaceFiles$Source: public abstract void WorkspaceFiles$Source.writeTo(java.io.OutputStream) throws java.io.IOException,InterruptedException
  WorkspaceFiles$Target: public String WorkspaceFiles$Target.agentId()
  WorkspaceFiles$Target: public String WorkspaceFiles$Target.factsSha256()
  WorkspaceFiles$Target: public String WorkspaceFiles$Target.path()
  WorkspaceFiles$Target: public WorkspaceFiles$Target(String,String,String)
  WorkspaceFiles$Target: public final String WorkspaceFiles$Target.toString()
  WorkspaceFiles$Target: public final boolean WorkspaceFiles$Target.equals(Object)
  WorkspaceFiles$Target: public final int WorkspaceFiles$Target.hashCode()
  WorkspaceFiles$Target: public static final record WorkspaceFiles$Target(String agentId, String path, String factsSha256) extends Record
  WorkspaceFiles$Written: public String WorkspaceFiles$Written.path()
  WorkspaceFiles$Written: public String WorkspaceFiles$Written.sha256()
  WorkspaceFiles$Written: public WorkspaceFiles$Written(String,long,String,boolean)
  WorkspaceFiles$Written: public boolean WorkspaceFiles$Written.replaced()
  WorkspaceFiles$Written: public final String WorkspaceFiles$Written.toString()
  WorkspaceFiles$Written: public final boolean WorkspaceFiles$Written.equals(Object)
  WorkspaceFiles$Written: public final int WorkspaceFiles$Written.hashCode()
  WorkspaceFiles$Written: public long WorkspaceFiles$Written.bytes()
  WorkspaceFiles$Written: public static final record WorkspaceFiles$Written(String path, long bytes, String sha256, boolean replaced) extends Record
  WorkspaceFiles: public abstract WorkspaceFiles$Content WorkspaceFiles.read(WorkspaceFiles$Target,int) throws java.io.IOException
  WorkspaceFiles: public abstract WorkspaceFiles$Written WorkspaceFiles.write(WorkspaceFiles$Target,boolean,int,WorkspaceFiles$Source) throws java.io.IOException,InterruptedException
  WorkspaceFiles: public abstract interface WorkspaceFiles
  WorkspaceFiles: public abstract palyra.api.core.tools.ToolExamination WorkspaceFiles.examine(String,String,boolean)
  WorkspaceFiles: public static final int WorkspaceFiles.MAX_BYTES
package palyra.api.core.tools 6.0.0
  CallDescription: public CallDescription CallDescription.with(List<String>)
  CallDescription: public CallDescription(String,List<String>,String,Optional<CallPattern>)
  CallDescription: public CallDescription(String,List<String>,String,Optional<CallPattern>,List<String>)
  CallDescription: public List<String> CallDescription.argv()
  CallDescription: public List<String> CallDescription.workspaceNotes()
  CallDescription: public Optional<CallPattern> CallDescription.pattern()
  CallDescription: public String CallDescription.onceOnly()
  CallDescription: public String CallDescription.summary()
  CallDescription: public final String CallDescription.toString()
  CallDescription: public final boolean CallDescription.equals(Object)
  CallDescription: public final int CallDescription.hashCode()
  CallDescription: public final record CallDescription(String summary, List argv, String onceOnly, Optional pattern, List workspaceNotes) extends Record
  CallDescription: public static CallDescription CallDescription.none()
  CallPattern: public CallPattern(String,String,Set<String>,Set<String>)
  CallPattern: public Set<String> CallPattern.hosts()
  CallPattern: public Set<String> CallPattern.options()
  CallPattern: public String CallPattern.fixed()
  CallPattern: public String CallPattern.sentence()
  CallPattern: public boolean CallPattern.covers(CallPattern)
  CallPattern: public final String CallPattern.toString()
  CallPattern: public final boolean CallPattern.equals(Object)
  CallPattern: public final int CallPattern.hashCode()
  CallPattern: public final record CallPattern(String sentence, String fixed, Set options, Set hosts) extends Record
  ConfinedResult: public ConfinedResult(palyra.api.tape.TapeEvent$Outcome,palyra.api.tool.ToolResult,String,String,String)
  ConfinedResult: public ConfinedResult(palyra.api.tape.TapeEvent$Outcome,palyra.api.tool.ToolResult,String,String,String,List<palyra.api.tool.ToolImage>)
  ConfinedResult: public List<palyra.api.tool.ToolImage> ConfinedResult.images()
  ConfinedResult: public String ConfinedResult.enforcement()
  ConfinedResult: public String ConfinedResult.executableSha256()
  ConfinedResult: public String ConfinedResult.executor()
  ConfinedResult: public final String ConfinedResult.toString()
  ConfinedResult: public final boolean ConfinedResult.equals(Object)
  ConfinedResult: public final int ConfinedResult.hashCode()
  ConfinedResult: public final record ConfinedResult(palyra.api.tape.TapeEvent$Outcome outcome, palyra.api.tool.ToolResult result, String executor, String enforcement, String executableSha256, List images) extends Record
  ConfinedResult: public palyra.api.tape.TapeEvent$Outcome ConfinedResult.outcome()
  ConfinedResult: public palyra.api.tool.ToolResult ConfinedResult.result()
  ConfinedResult: public static final int ConfinedResult.MOST_IMAGES
  ConfinedTool: public abstract ConfinedResult ConfinedTool.run(ToolOrder) throws Exception
  ConfinedTool: public abstract ToolExamination ConfinedTool.examine(ToolProposed)
  ConfinedTool: public abstract interface ConfinedTool implements palyra.api.tool.Tool
  ConfinedTool: public default String ConfinedTool.leftBy(String,String,int)
  ConfinedTool: public default boolean ConfinedTool.mayRepeat(String,int)
  ConfinedTool: public default palyra.api.tool.ToolResult ConfinedTool.execute(palyra.api.tool.ToolInvocation)
  EnvironmentSource$Reader: public EnvironmentSource$Reader(String,String,Set<String>)
  EnvironmentSource$Reader: public Set<String> EnvironmentSource$Reader.tools()
  EnvironmentSource$Reader: public String EnvironmentSource$Reader.agentId()
  EnvironmentSource$Reader: public String EnvironmentSource$Reader.policyProfile()
  EnvironmentSource$Reader: public final String EnvironmentSource$Reader.toString()
  EnvironmentSource$Reader: public final boolean EnvironmentSource$Reader.equals(Object)
  EnvironmentSource$Reader: public final int EnvironmentSource$Reader.hashCode()
  EnvironmentSource$Reader: public static final record EnvironmentSource$Reader(String agentId, String policyProfile, Set tools) extends Record
  EnvironmentSource: public abstract String EnvironmentSource.describe(EnvironmentSource$Reader)
  EnvironmentSource: public abstract interface EnvironmentSource
  ToolExamination$Facts: public CallDescription ToolExamination$Facts.description()
  ToolExamination$Facts: public ToolExamination$Facts(palyra.api.core.access.CallFacts,CallDescription)
  ToolExamination$Facts: public final String ToolExamination$Facts.toString()
  ToolExamination$Facts: public final boolean ToolExamination$Facts.equals(Object)
  ToolExamination$Facts: public final int ToolExamination$Facts.hashCode()
  ToolExamination$Facts: public palyra.api.core.access.CallFacts ToolExamination$Facts.facts()
  ToolExamination$Facts: public static final record ToolExamination$Facts(palyra.api.core.access.CallFacts facts, CallDescription description) extends Record implements ToolExamination
  ToolExamination$Refused: public String ToolExamination$Refused.reason()
  ToolExamination$Refused: public String ToolExamination$Refused.reasonCode()
  ToolExamination$Refused: public ToolExamination$Refused(String,String)
  ToolExamination$Refused: public final String ToolExamination$Refused.toString()
  ToolExamination$Refused: public final boolean ToolExamination$Refused.equals(Object)
  ToolExamination$Refused: public final int ToolExamination$Refused.hashCode()
  ToolExamination$Refused: public static final record ToolExamination$Refused(String reasonCode, String reason) extends Record implements ToolExamination
  ToolExamination: public abstract sealed interface ToolExamination permits ToolExamination$Facts, ToolExamination$Refused
  ToolExamination: public static ToolExamination ToolExamination.facts(palyra.api.core.access.CallFacts)
  ToolExamination: public static ToolExamination ToolExamination.facts(palyra.api.core.access.CallFacts,CallDescription)
  ToolExamination: public static ToolExamination ToolExamination.refused(String,String)
  ToolExecutor: public abstract List<palyra.api.tool.ToolDescriptor> ToolExecutor.catalogue()
  ToolExecutor: public abstract ToolLookup ToolExecutor.attach(String,int,java.util.function.Consumer<ToolOutcome>)
  ToolExecutor: public abstract interface ToolExecutor
  ToolExecutor: public abstract void ToolExecutor.cancel(String)
  ToolExecutor: public abstract void ToolExecutor.forget(String)
  ToolExecutor: public abstract void ToolExecutor.start(ToolOrder,java.util.function.Consumer<ToolOutcome>)
  ToolExecutor: public default String ToolExecutor.leftBy(String,String,String,int)
  ToolExecutor: public default ToolExamination ToolExecutor.examine(ToolProposed)
  ToolExecutor: public default boolean ToolExecutor.mayRepeat(String,String,int)
  ToolExecutor: public static final int ToolExecutor.MAX_KEPT
  ToolLookup$Done: public ToolLookup$Done(ToolOutcome)
  ToolLookup$Done: public ToolOutcome ToolLookup$Done.outcome()
  ToolLookup$Done: public final String ToolLookup$Done.toString()
  ToolLookup$Done: public final boolean ToolLookup$Done.equals(Object)
  ToolLookup$Done: public final int ToolLookup$Done.hashCode()
  ToolLookup$Done: public static final record ToolLookup$Done(ToolOutcome outcome) extends Record implements ToolLookup
  ToolLookup$Running: public ToolLookup$Running()
  ToolLookup$Running: public final String ToolLookup$Running.toString()
  ToolLookup$Running: public final boolean ToolLookup$Running.equals(Object)
  ToolLookup$Running: public final int ToolLookup$Running.hashCode()
  ToolLookup$Running: public static final record ToolLookup$Running() extends Record implements ToolLookup
  ToolLookup$Unknown: public ToolLookup$Unknown()
  ToolLookup$Unknown: public final String ToolLookup$Unknown.toString()
  ToolLookup$Unknown: public final boolean ToolLookup$Unknown.equals(Object)
  ToolLookup$Unknown: public final int ToolLookup$Unknown.hashCode()
  ToolLookup$Unknown: public static final record ToolLookup$Unknown() extends Record implements ToolLookup
  ToolLookup: public abstract sealed interface ToolLookup permits ToolLookup$Done, ToolLookup$Running, ToolLookup$Unknown
  ToolOrder: public Set<String> ToolOrder.groups()
  ToolOrder: public String ToolOrder.agentId()
  ToolOrder: public String ToolOrder.factsSha256()
  ToolOrder: public String ToolOrder.toolName()
  ToolOrder: public ToolOrder(String,palyra.api.tool.ToolInvocation,String,Set<String>,palyra.api.core.access.Confinement,String,boolean)
  ToolOrder: public boolean ToolOrder.allowedByPerson()
  ToolOrder: public final String ToolOrder.toString()
  ToolOrder: public final boolean ToolOrder.equals(Object)
  ToolOrder: public final int ToolOrder.hashCode()
  ToolOrder: public final record ToolOrder(String toolName, palyra.api.tool.ToolInvocation invocation, String agentId, Set groups, palyra.api.core.access.Confinement confinement, String factsSha256, boolean allowedByPerson) extends Record
  ToolOrder: public palyra.api.core.access.Confinement ToolOrder.confinement()
  ToolOrder: public palyra.api.tool.ToolInvocation ToolOrder.invocation()
  ToolOrder: public static ToolOrder ToolOrder.of(String,palyra.api.tool.ToolInvocation)
  ToolOutcome: public List<palyra.api.tool.ToolImage> ToolOutcome.images()
  ToolOutcome: public String ToolOutcome.callId()
  ToolOutcome: public String ToolOutcome.error()
  ToolOutcome: public String ToolOutcome.executableSha256()
  ToolOutcome: public String ToolOutcome.executor()
  ToolOutcome: public String ToolOutcome.outputJson()
  ToolOutcome: public String ToolOutcome.sandboxEnforcement()
  ToolOutcome: public ToolOutcome(String,int,palyra.api.tape.TapeEvent$Outcome,String,String,String,String,String,long,long)
  ToolOutcome: public ToolOutcome(String,int,palyra.api.tape.TapeEvent$Outcome,String,String,String,String,String,long,long,List<palyra.api.tool.ToolImage>)
  ToolOutcome: public final String ToolOutcome.toString()
  ToolOutcome: public final boolean ToolOutcome.equals(Object)
  ToolOutcome: public final int ToolOutcome.hashCode()
  ToolOutcome: public final record ToolOutcome(String callId, int attempt, palyra.api.tape.TapeEvent$Outcome outcome, String outputJson, String error, String executor, String sandboxEnforcement, String executableSha256, long startedAtMillis, long finishedAtMillis, List images) extends Record
  ToolOutcome: public int ToolOutcome.attempt()
  ToolOutcome: public long ToolOutcome.finishedAtMillis()
  ToolOutcome: public long ToolOutcome.startedAtMillis()
  ToolOutcome: public palyra.api.tape.TapeEvent$Outcome ToolOutcome.outcome()
  ToolProposed: public String ToolProposed.agentId()
  ToolProposed: public String ToolProposed.comparedWith()
  ToolProposed: public String ToolProposed.inputJson()
  ToolProposed: public String ToolProposed.principal()
  ToolProposed: public String ToolProposed.sessionId()
  ToolProposed: public String ToolProposed.toolName()
  ToolProposed: public ToolProposed ToolProposed.inWorkspace(String)
  ToolProposed: public ToolProposed(String,String,String,String,String)
  ToolProposed: public ToolProposed(String,String,String,String,String,boolean,String)
  ToolProposed: public boolean ToolProposed.bindsWorkspace()
  ToolProposed: public final String ToolProposed.toString()
  ToolProposed: public final boolean ToolProposed.equals(Object)
  ToolProposed: public final int ToolProposed.hashCode()
  ToolProposed: public final record ToolProposed(String toolName, String inputJson, String sessionId, String principal, String agentId, boolean bindsWorkspace, String comparedWith) extends Record
package palyra.api.core.vault 2.0.0
  KnownSecrets$Found: public KnownSecrets$Found(int,int,SecretRef)
  KnownSecrets$Found: public SecretRef KnownSecrets$Found.ref()
  KnownSecrets$Found: public final String KnownSecrets$Found.toString()
  KnownSecrets$Found: public final boolean KnownSecrets$Found.equals(Object)
  KnownSecrets$Found: public final int KnownSecrets$Found.hashCode()
  KnownSecrets$Found: public int KnownSecrets$Found.end()
  KnownSecrets$Found: public int KnownSecrets$Found.start()
  KnownSecrets$Found: public static final record KnownSecrets$Found(int start, int end, SecretRef ref) extends Record
  KnownSecrets: public abstract List<KnownSecrets$Found> KnownSecrets.find(CharSequence,SecretReach)
  KnownSecrets: public abstract int KnownSecrets.safeLength(CharSequence,SecretReach)
  KnownSecrets: public abstract interface KnownSecrets
  Secret: public abstract <T> T Secret.use(java.util.function.Function<byte[], T>)
  Secret: public abstract SecretInfo Secret.info()
  Secret: public abstract interface Secret implements AutoCloseable
  Secret: public abstract void Secret.close()
  SecretInfo: public SecretInfo(SecretRef,long,int,long,long,String,int)
  SecretInfo: public SecretRef SecretInfo.ref()
  SecretInfo: public String SecretInfo.updatedBy()
  SecretInfo: public final String SecretInfo.toString()
  SecretInfo: public final boolean SecretInfo.equals(Object)
  SecretInfo: public final int SecretInfo.hashCode()
  SecretInfo: public final record SecretInfo(SecretRef ref, long version, int bytes, long createdAtMillis, long updatedAtMillis, String updatedBy, int keyVersion) extends Record
  SecretInfo: public int SecretInfo.bytes()
  SecretInfo: public int SecretInfo.keyVersion()
  SecretInfo: public long SecretInfo.createdAtMillis()
  SecretInfo: public long SecretInfo.updatedAtMillis()
  SecretInfo: public long SecretInfo.version()
  SecretReach: public SecretReach SecretReach.with(Collection<SecretRef>)
  SecretReach: public SecretReach SecretReach.without(String)
  SecretReach: public SecretReach(Set<String>,Set<SecretRef>)
  SecretReach: public Set<SecretRef> SecretReach.secrets()
  SecretReach: public Set<String> SecretReach.scopes()
  SecretReach: public boolean SecretReach.covers(SecretRef)
  SecretReach: public final String SecretReach.toString()
  SecretReach: public final boolean SecretReach.equals(Object)
  SecretReach: public final int SecretReach.hashCode()
  SecretReach: public final record SecretReach(Set scopes, Set secrets) extends Record
  SecretReach: public static SecretReach SecretReach.of(String...)
  SecretReach: public static final SecretReach SecretReach.NONE
  SecretRef: public SecretRef(String,String)
  SecretRef: public String SecretRef.key()
  SecretRef: public String SecretRef.owner()
  SecretRef: public String SecretRef.resource()
  SecretRef: public String SecretRef.scope()
  SecretRef: public String SecretRef.toString()
  SecretRef: public final boolean SecretRef.equals(Object)
  SecretRef: public final int SecretRef.hashCode()
  SecretRef: public final record SecretRef(String scope, String key) extends Record
  SecretRef: public static SecretRef SecretRef.parse(String)
  SecretRef: public static boolean SecretRef.isReference(String)
  SecretRef: public static final String SecretRef.GLOBAL
  SecretRef: public static final String SecretRef.PREFIX
  Vault: public abstract List<SecretInfo> Vault.list(palyra.api.access.Permit,String,String)
  Vault: public abstract Secret Vault.get(palyra.api.access.Permit,SecretRef)
  Vault: public abstract SecretInfo Vault.put(palyra.api.core.access.Authorized,SecretRef,byte[],long)
  Vault: public abstract VaultStatus Vault.rotate(palyra.api.core.access.Authorized)
  Vault: public abstract VaultStatus Vault.status()
  Vault: public abstract boolean Vault.delete(palyra.api.core.access.Authorized,SecretRef)
  Vault: public abstract interface Vault
  Vault: public static final int Vault.MAX_LIST
  Vault: public static final int Vault.MAX_VALUE_BYTES
  VaultStatus: public String VaultStatus.keySource()
  VaultStatus: public String VaultStatus.problem()
  VaultStatus: public VaultStatus(boolean,String,String,int,long,long)
  VaultStatus: public boolean VaultStatus.usable()
  VaultStatus: public final String VaultStatus.toString()
  VaultStatus: public final boolean VaultStatus.equals(Object)
  VaultStatus: public final int VaultStatus.hashCode()
  VaultStatus: public final record VaultStatus(boolean usable, String problem, String keySource, int keyVersion, long secrets, long pending) extends Record
  VaultStatus: public int VaultStatus.keyVersion()
  VaultStatus: public long VaultStatus.pending()
  VaultStatus: public long VaultStatus.secrets()
package palyra.api.core.wasm 2.0.0
  WasmCall: public List<String> WasmCall.exports()
  WasmCall: public String WasmCall.callId()
  WasmCall: public WasmCall(String,WasmModule,List<String>,long,long)
  WasmCall: public WasmModule WasmCall.module()
  WasmCall: public final String WasmCall.toString()
  WasmCall: public final boolean WasmCall.equals(Object)
  WasmCall: public final int WasmCall.hashCode()
  WasmCall: public final record WasmCall(String callId, WasmModule module, List exports, long fuel, long timeoutMillis) extends Record
  WasmCall: public long WasmCall.fuel()
  WasmCall: public long WasmCall.timeoutMillis()
  WasmEnding: public final enum WasmEnding extends Enum<WasmEnding>
  WasmEnding: public static WasmEnding WasmEnding.valueOf(String)
  WasmEnding: public static WasmEnding[] WasmEnding.values()
  WasmEnding: public static final WasmEnding WasmEnding.CALL_DEPTH
  WasmEnding: public static final WasmEnding WasmEnding.CANCELLED
  WasmEnding: public static final WasmEnding WasmEnding.DEADLINE
  WasmEnding: public static final WasmEnding WasmEnding.ENGINE_FAILED
  WasmEnding: public static final WasmEnding WasmEnding.ENGINE_STOPPED
  WasmEnding: public static final WasmEnding WasmEnding.EXITED
  WasmEnding: public static final WasmEnding WasmEnding.HOST_FAILED
  WasmEnding: public static final WasmEnding WasmEnding.LINK
  WasmEnding: public static final WasmEnding WasmEnding.OTHER
  WasmEnding: public static final WasmEnding WasmEnding.OUT_OF_FUEL
  WasmEnding: public static final WasmEnding WasmEnding.OUT_OF_MEMORY
  WasmEnding: public static final WasmEnding WasmEnding.REFUSED
  WasmEnding: public static final WasmEnding WasmEnding.RETURNED
  WasmEnding: public static final WasmEnding WasmEnding.TRAPPED
  WasmEngine: public abstract WasmEngineView WasmEngine.view()
  WasmEngine: public abstract interface WasmEngine
  WasmEngine: public abstract void WasmEngine.cancel(String)
  WasmEngine: public abstract void WasmEngine.prepare(WasmModule)
  WasmEngine: public abstract void WasmEngine.start(WasmCall,WasmHost,java.util.function.Consumer<WasmResult>)
  WasmEngine: public static final String WasmEngine.ID
  WasmEngineView: public String WasmEngineView.id()
  WasmEngineView: public String WasmEngineView.isolation()
  WasmEngineView: public String WasmEngineView.reason()
  WasmEngineView: public String WasmEngineView.version()
  WasmEngineView: public WasmEngineView(String,String,String,boolean,boolean,String,int,int)
  WasmEngineView: public boolean WasmEngineView.forUntrusted()
  WasmEngineView: public boolean WasmEngineView.ready()
  WasmEngineView: public final String WasmEngineView.toString()
  WasmEngineView: public final boolean WasmEngineView.equals(Object)
  WasmEngineView: public final int WasmEngineView.hashCode()
  WasmEngineView: public final record WasmEngineView(String id, String version, String isolation, boolean forUntrusted, boolean ready, String reason, int running, int compiled) extends Record
  WasmEngineView: public int WasmEngineView.compiled()
  WasmEngineView: public int WasmEngineView.running()
  WasmHost$Body: public abstract long WasmHost$Body.call(WasmHost$GuestMemory,long[])
  WasmHost$Body: public abstract static interface WasmHost$Body
  WasmHost$GuestMemory: public abstract byte[] WasmHost$GuestMemory.read(int,int,int)
  WasmHost$GuestMemory: public abstract long WasmHost$GuestMemory.size()
  WasmHost$GuestMemory: public abstract static interface WasmHost$GuestMemory
  WasmHost$GuestMemory: public abstract void WasmHost$GuestMemory.write(int,byte[])
  WasmHost$GuestMemory: public default void WasmHost$GuestMemory.write(int,int,java.util.function.Supplier<byte[]>)
  WasmHost$Number: public static WasmHost$Number WasmHost$Number.valueOf(String)
  WasmHost$Number: public static WasmHost$Number[] WasmHost$Number.values()
  WasmHost$Number: public static final WasmHost$Number WasmHost$Number.F32
  WasmHost$Number: public static final WasmHost$Number WasmHost$Number.F64
  WasmHost$Number: public static final WasmHost$Number WasmHost$Number.I32
  WasmHost$Number: public static final WasmHost$Number WasmHost$Number.I64
  WasmHost$Number: public static final enum WasmHost$Number extends Enum<WasmHost$Number>
  WasmHost$WasmFunction: public List<WasmHost$Number> WasmHost$WasmFunction.parameters()
  WasmHost$WasmFunction: public List<WasmHost$Number> WasmHost$WasmFunction.results()
  WasmHost$WasmFunction: public String WasmHost$WasmFunction.module()
  WasmHost$WasmFunction: public String WasmHost$WasmFunction.name()
  WasmHost$WasmFunction: public WasmHost$Body WasmHost$WasmFunction.body()
  WasmHost$WasmFunction: public WasmHost$WasmFunction(String,String,List<WasmHost$Number>,List<WasmHost$Number>,WasmHost$Body)
  WasmHost$WasmFunction: public final String WasmHost$WasmFunction.toString()
  WasmHost$WasmFunction: public final boolean WasmHost$WasmFunction.equals(Object)
  WasmHost$WasmFunction: public final int WasmHost$WasmFunction.hashCode()
  WasmHost$WasmFunction: public static final record WasmHost$WasmFunction(String module, String name, List parameters, List results, WasmHost$Body body) extends Record
  WasmHost$WasmStop: public WasmEnding WasmHost$WasmStop.ending()
  WasmHost$WasmStop: public WasmHost$WasmStop(WasmEnding,String)
  WasmHost$WasmStop: public static final class WasmHost$WasmStop extends RuntimeException
  WasmHost: public List<WasmHost$WasmFunction> WasmHost.functions()
  WasmHost: public WasmHost(List<WasmHost$WasmFunction>)
  WasmHost: public final String WasmHost.toString()
  WasmHost: public final boolean WasmHost.equals(Object)
  WasmHost: public final int WasmHost.hashCode()
  WasmHost: public final record WasmHost(List functions) extends Record
  WasmModule: public String WasmModule.sha256()
  WasmModule: public String WasmModule.toString()
  WasmModule: public WasmModule(String,int,int,int,boolean,byte[])
  WasmModule: public boolean WasmModule.start()
  WasmModule: public byte[] WasmModule.bytes()
  WasmModule: public final boolean WasmModule.equals(Object)
  WasmModule: public final int WasmModule.hashCode()
  WasmModule: public final record WasmModule(String sha256, int meterVersion, int memoryPages, int initialPages, boolean start, byte[] bytes) extends Record
  WasmModule: public int WasmModule.initialPages()
  WasmModule: public int WasmModule.memoryPages()
  WasmModule: public int WasmModule.meterVersion()
  WasmModule: public static final String WasmModule.FUEL
  WasmModule: public static final String WasmModule.GROW
  WasmModule: public static final String WasmModule.METER
  WasmModule: public static final String WasmModule.REFUEL
  WasmModule: public static final String WasmModule.START
  WasmModule: public static final String WasmModule.STOPPED
  WasmModule: public static final int WasmModule.STOPPED_BY_DEPTH
  WasmModule: public static final int WasmModule.STOPPED_BY_FUEL
  WasmResult: public String WasmResult.callId()
  WasmResult: public String WasmResult.detail()
  WasmResult: public WasmEnding WasmResult.ending()
  WasmResult: public WasmResult(String,WasmEnding,long,long,int,String,long,long)
  WasmResult: public final String WasmResult.toString()
  WasmResult: public final boolean WasmResult.equals(Object)
  WasmResult: public final int WasmResult.hashCode()
  WasmResult: public final record WasmResult(String callId, WasmEnding ending, long value, long fuelUsed, int memoryPages, String detail, long compileNanos, long runNanos) extends Record
  WasmResult: public int WasmResult.memoryPages()
  WasmResult: public long WasmResult.compileNanos()
  WasmResult: public long WasmResult.fuelUsed()
  WasmResult: public long WasmResult.runNanos()
  WasmResult: public long WasmResult.value()
package palyra.api.model 3.0.0
  FailureCause: public boolean FailureCause.elsewhere()
  FailureCause: public final enum FailureCause extends Enum<FailureCause>
  FailureCause: public static FailureCause FailureCause.valueOf(String)
  FailureCause: public static FailureCause[] FailureCause.values()
  FailureCause: public static final FailureCause FailureCause.AUTHENTICATION
  FailureCause: public static final FailureCause FailureCause.BAD_REQUEST
  FailureCause: public static final FailureCause FailureCause.CANCELLED
  FailureCause: public static final FailureCause FailureCause.CIRCUIT_OPEN
  FailureCause: public static final FailureCause FailureCause.CONTENT_BLOCKED
  FailureCause: public static final FailureCause FailureCause.CONTEXT_EXCEEDED
  FailureCause: public static final FailureCause FailureCause.DENIED
  FailureCause: public static final FailureCause FailureCause.MALFORMED
  FailureCause: public static final FailureCause FailureCause.NETWORK
  FailureCause: public static final FailureCause FailureCause.OTHER
  FailureCause: public static final FailureCause FailureCause.QUOTA
  FailureCause: public static final FailureCause FailureCause.RATE_LIMITED
  FailureCause: public static final FailureCause FailureCause.SERVER
  FailureCause: public static final FailureCause FailureCause.TIMEOUT
  FailureCause: public static final FailureCause FailureCause.UNAVAILABLE
  ModelCaller: public ModelCaller(String,Set<String>,String,String,String)
  ModelCaller: public Set<String> ModelCaller.groups()
  ModelCaller: public String ModelCaller.agentId()
  ModelCaller: public String ModelCaller.channel()
  ModelCaller: public String ModelCaller.principal()
  ModelCaller: public String ModelCaller.sessionId()
  ModelCaller: public final String ModelCaller.toString()
  ModelCaller: public final boolean ModelCaller.equals(Object)
  ModelCaller: public final int ModelCaller.hashCode()
  ModelCaller: public final record ModelCaller(String principal, Set groups, String agentId, String sessionId, String channel) extends Record
  ModelCaller: public static final ModelCaller ModelCaller.UNKNOWN
  ModelEvent$Failed: public FailureCause ModelEvent$Failed.cause()
  ModelEvent$Failed: public ModelEvent$Failed(palyra.api.ErrorCode,String,boolean)
  ModelEvent$Failed: public ModelEvent$Failed(palyra.api.ErrorCode,String,boolean,FailureCause,long)
  ModelEvent$Failed: public String ModelEvent$Failed.message()
  ModelEvent$Failed: public boolean ModelEvent$Failed.retryable()
  ModelEvent$Failed: public final String ModelEvent$Failed.toString()
  ModelEvent$Failed: public final boolean ModelEvent$Failed.equals(Object)
  ModelEvent$Failed: public final int ModelEvent$Failed.hashCode()
  ModelEvent$Failed: public long ModelEvent$Failed.retryAfterMillis()
  ModelEvent$Failed: public palyra.api.ErrorCode ModelEvent$Failed.code()
  ModelEvent$Failed: public static final record ModelEvent$Failed(palyra.api.ErrorCode code, String message, boolean retryable, FailureCause cause, long retryAfterMillis) extends Record implements ModelEvent
  ModelEvent$Finished: public ModelEvent$Finished(String,long,long)
  ModelEvent$Finished: public ModelEvent$Finished(String,long,long,long,boolean)
  ModelEvent$Finished: public String ModelEvent$Finished.finishReason()
  ModelEvent$Finished: public boolean ModelEvent$Finished.counted()
  ModelEvent$Finished: public final String ModelEvent$Finished.toString()
  ModelEvent$Finished: public final boolean ModelEvent$Finished.equals(Object)
  ModelEvent$Finished: public final int ModelEvent$Finished.hashCode()
  ModelEvent$Finished: public long ModelEvent$Finished.cachedInputTokens()
  ModelEvent$Finished: public long ModelEvent$Finished.inputTokens()
  ModelEvent$Finished: public long ModelEvent$Finished.outputTokens()
  ModelEvent$Finished: public static final record ModelEvent$Finished(String finishReason, long inputTokens, long outputTokens, long cachedInputTokens, boolean counted) extends Record implements ModelEvent
  ModelEvent$Proposed: public ModelEvent$Proposed(ToolProposal)
  ModelEvent$Proposed: public ToolProposal ModelEvent$Proposed.proposal()
  ModelEvent$Proposed: public final String ModelEvent$Proposed.toString()
  ModelEvent$Proposed: public final boolean ModelEvent$Proposed.equals(Object)
  ModelEvent$Proposed: public final int ModelEvent$Proposed.hashCode()
  ModelEvent$Proposed: public static final record ModelEvent$Proposed(ToolProposal proposal) extends Record implements ModelEvent
  ModelEvent$TextDelta: public ModelEvent$TextDelta(String)
  ModelEvent$TextDelta: public String ModelEvent$TextDelta.text()
  ModelEvent$TextDelta: public final String ModelEvent$TextDelta.toString()
  ModelEvent$TextDelta: public final boolean ModelEvent$TextDelta.equals(Object)
  ModelEvent$TextDelta: public final int ModelEvent$TextDelta.hashCode()
  ModelEvent$TextDelta: public static final record ModelEvent$TextDelta(String text) extends Record implements ModelEvent
  ModelEvent$ThoughtDelta: public ModelEvent$ThoughtDelta(String)
  ModelEvent$ThoughtDelta: public String ModelEvent$ThoughtDelta.text()
  ModelEvent$ThoughtDelta: public final String ModelEvent$ThoughtDelta.toString()
  ModelEvent$ThoughtDelta: public final boolean ModelEvent$ThoughtDelta.equals(Object)
  ModelEvent$ThoughtDelta: public final int ModelEvent$ThoughtDelta.hashCode()
  ModelEvent$ThoughtDelta: public static final record ModelEvent$ThoughtDelta(String text) extends Record implements ModelEvent
  ModelEvent: public abstract sealed interface ModelEvent permits ModelEvent$Failed, ModelEvent$Finished, ModelEvent$Proposed, ModelEvent$TextDelta, ModelEvent$ThoughtDelta
  ModelMessage$Assistant: public List<ToolProposal> ModelMessage$Assistant.proposals()
  ModelMessage$Assistant: public ModelMessage$Assistant(String,List<ToolProposal>)
  ModelMessage$Assistant: public String ModelMessage$Assistant.text()
  ModelMessage$Assistant: public final String ModelMessage$Assistant.toString()
  ModelMessage$Assistant: public final boolean ModelMessage$Assistant.equals(Object)
  ModelMessage$Assistant: public final int ModelMessage$Assistant.hashCode()
  ModelMessage$Assistant: public static final record ModelMessage$Assistant(String text, List proposals) extends Record implements ModelMessage
  ModelMessage$System: public ModelMessage$System(String)
  ModelMessage$System: public String ModelMessage$System.text()
  ModelMessage$System: public final String ModelMessage$System.toString()
  ModelMessage$System: public final boolean ModelMessage$System.equals(Object)
  ModelMessage$System: public final int ModelMessage$System.hashCode()
  ModelMessage$System: public static final record ModelMessage$System(String text) extends Record implements ModelMessage
  ModelMessage$ToolOutput: public List<palyra.api.tool.ToolImage> ModelMessage$ToolOutput.images()
  ModelMessage$ToolOutput: public ModelMessage$ToolOutput(String,String,boolean,String)
  ModelMessage$ToolOutput: public ModelMessage$ToolOutput(String,String,boolean,String,List<palyra.api.tool.ToolImage>)
  ModelMessage$ToolOutput: public String ModelMessage$ToolOutput.callId()
  ModelMessage$ToolOutput: public String ModelMessage$ToolOutput.text()
  ModelMessage$ToolOutput: public String ModelMessage$ToolOutput.toolName()
  ModelMessage$ToolOutput: public boolean ModelMessage$ToolOutput.success()
  ModelMessage$ToolOutput: public final String ModelMessage$ToolOutput.toString()
  ModelMessage$ToolOutput: public final boolean ModelMessage$ToolOutput.equals(Object)
  ModelMessage$ToolOutput: public final int ModelMessage$ToolOutput.hashCode()
  ModelMessage$ToolOutput: public static final record ModelMessage$ToolOutput(String callId, String toolName, boolean success, String text, List images) extends Record implements ModelMessage
  ModelMessage$User: public ModelMessage$User(String)
  ModelMessage$User: public String ModelMessage$User.text()
  ModelMessage$User: public final String ModelMessage$User.toString()
  ModelMessage$User: public final boolean ModelMessage$User.equals(Object)
  ModelMessage$User: public final int ModelMessage$User.hashCode()
  ModelMessage$User: public static final record ModelMessage$User(String text) extends Record implements ModelMessage
  ModelMessage: public abstract String ModelMessage.text()
  ModelMessage: public abstract sealed interface ModelMessage permits ModelMessage$Assistant, ModelMessage$System, ModelMessage$ToolOutput, ModelMessage$User
  ModelProvider: public abstract interface ModelProvider
  ModelProvider: public abstract void ModelProvider.cancel(String)
  ModelProvider: public abstract void ModelProvider.start(ModelRequest,ModelSink)
  ModelProvider: public default boolean ModelProvider.sees(String)
  ModelProvider: public default long ModelProvider.silenceEndsAtMillis(String)
  ModelProvider: public static final String ModelProvider.ID_PROPERTY
  ModelRequest: public List<ModelMessage> ModelRequest.messages()
  ModelRequest: public List<palyra.api.tool.ToolDescriptor> ModelRequest.tools()
  ModelRequest: public Map<String, String> ModelRequest.options()
  ModelRequest: public ModelCaller ModelRequest.caller()
  ModelRequest: public ModelRequest(String,String,String,List<ModelMessage>,List<palyra.api.tool.ToolDescriptor>,boolean,long)
  ModelRequest: public ModelRequest(String,String,String,List<ModelMessage>,List<palyra.api.tool.ToolDescriptor>,boolean,long,ModelCaller,int,Map<String, String>)
  ModelRequest: public String ModelRequest.model()
  ModelRequest: public String ModelRequest.requestId()
  ModelRequest: public String ModelRequest.runId()
  ModelRequest: public boolean ModelRequest.testAgent()
  ModelRequest: public final String ModelRequest.toString()
  ModelRequest: public final boolean ModelRequest.equals(Object)
  ModelRequest: public final int ModelRequest.hashCode()
  ModelRequest: public final record ModelRequest(String requestId, String runId, String model, List messages, List tools, boolean testAgent, long deadlineMillis, ModelCaller caller, int maxOutputTokens, Map options) extends Record
  ModelRequest: public int ModelRequest.maxOutputTokens()
  ModelRequest: public long ModelRequest.deadlineMillis()
  ModelSink: public abstract boolean ModelSink.accept(ModelEvent)
  ModelSink: public abstract interface ModelSink
  ToolProposal: public String ToolProposal.callId()
  ToolProposal: public String ToolProposal.inputJson()
  ToolProposal: public String ToolProposal.toolName()
  ToolProposal: public ToolProposal(String,String,String)
  ToolProposal: public final String ToolProposal.toString()
  ToolProposal: public final boolean ToolProposal.equals(Object)
  ToolProposal: public final int ToolProposal.hashCode()
  ToolProposal: public final record ToolProposal(String callId, String toolName, String inputJson) extends Record
package palyra.api.run 4.2.0
  AppendedEvent: public AppendedEvent(String,boolean,long)
  AppendedEvent: public String AppendedEvent.eventId()
  AppendedEvent: public boolean AppendedEvent.onTape()
  AppendedEvent: public final String AppendedEvent.toString()
  AppendedEvent: public final boolean AppendedEvent.equals(Object)
  AppendedEvent: public final int AppendedEvent.hashCode()
  AppendedEvent: public final record AppendedEvent(String eventId, boolean onTape, long seq) extends Record
  AppendedEvent: public long AppendedEvent.seq()
  Following: public abstract boolean Following.await(long) throws InterruptedException
  Following: public abstract interface Following implements AutoCloseable
  Following: public abstract void Following.close()
  ResolvedSession: public ResolvedSession(SessionView,boolean,boolean)
  ResolvedSession: public SessionView ResolvedSession.session()
  ResolvedSession: public boolean ResolvedSession.created()
  ResolvedSession: public boolean ResolvedSession.reset()
  ResolvedSession: public final String ResolvedSession.toString()
  ResolvedSession: public final boolean ResolvedSession.equals(Object)
  ResolvedSession: public final int ResolvedSession.hashCode()
  ResolvedSession: public final record ResolvedSession(SessionView session, boolean created, boolean reset) extends Record
  RunEvent$Dropped: public RunEvent$Dropped(int,String)
  RunEvent$Dropped: public String RunEvent$Dropped.reason()
  RunEvent$Dropped: public final String RunEvent$Dropped.toString()
  RunEvent$Dropped: public final boolean RunEvent$Dropped.equals(Object)
  RunEvent$Dropped: public final int RunEvent$Dropped.hashCode()
  RunEvent$Dropped: public int RunEvent$Dropped.turn()
  RunEvent$Dropped: public static final record RunEvent$Dropped(int turn, String reason) extends Record implements RunEvent
  RunEvent$Ended: public RunEvent$Ended(RunState,String)
  RunEvent$Ended: public RunState RunEvent$Ended.state()
  RunEvent$Ended: public String RunEvent$Ended.reason()
  RunEvent$Ended: public final String RunEvent$Ended.toString()
  RunEvent$Ended: public final boolean RunEvent$Ended.equals(Object)
  RunEvent$Ended: public final int RunEvent$Ended.hashCode()
  RunEvent$Ended: public static final record RunEvent$Ended(RunState state, String reason) extends Record implements RunEvent
  RunEvent$Recorded: public RunEvent$Recorded(long,long,palyra.api.tape.TapeEvent)
  RunEvent$Recorded: public final String RunEvent$Recorded.toString()
  RunEvent$Recorded: public final boolean RunEvent$Recorded.equals(Object)
  RunEvent$Recorded: public final int RunEvent$Recorded.hashCode()
  RunEvent$Recorded: public long RunEvent$Recorded.seq()
  RunEvent$Recorded: public long RunEvent$Recorded.timeMillis()
  RunEvent$Recorded: public palyra.api.tape.TapeEvent RunEvent$Recorded.event()
  RunEvent$Recorded: public static final record RunEvent$Recorded(long seq, long timeMillis, palyra.api.tape.TapeEvent event) extends Record implements RunEvent
  RunEvent$Text: public RunEvent$Text(int,int,boolean,long,String)
  RunEvent$Text: public String RunEvent$Text.text()
  RunEvent$Text: public boolean RunEvent$Text.thought()
  RunEvent$Text: public final String RunEvent$Text.toString()
  RunEvent$Text: public final boolean RunEvent$Text.equals(Object)
  RunEvent$Text: public final int RunEvent$Text.hashCode()
  RunEvent$Text: public int RunEvent$Text.attempt()
  RunEvent$Text: public int RunEvent$Text.turn()
  RunEvent$Text: public long RunEvent$Text.end()
  RunEvent$Text: public long RunEvent$Text.offset()
  RunEvent$Text: public static final record RunEvent$Text(int turn, int attempt, boolean thought, long offset, String text) extends Record implements RunEvent
  RunEvent$Waiting: public RunEvent$Waiting(RunState,String)
  RunEvent$Waiting: public RunState RunEvent$Waiting.state()
  RunEvent$Waiting: public String RunEvent$Waiting.reason()
  RunEvent$Waiting: public final String RunEvent$Waiting.toString()
  RunEvent$Waiting: public final boolean RunEvent$Waiting.equals(Object)
  RunEvent$Waiting: public final int RunEvent$Waiting.hashCode()
  RunEvent$Waiting: public static final record RunEvent$Waiting(RunState state, String reason) extends Record implements RunEvent
  RunEvent: public abstract sealed interface RunEvent permits RunEvent$Dropped, RunEvent$Ended, RunEvent$Recorded, RunEvent$Text, RunEvent$Waiting
  RunObserver: public abstract interface RunObserver
  RunObserver: public abstract void RunObserver.onEvent(RunEvent)
  RunObserver: public default void RunObserver.onInterrupted(String)
  RunPosition: public RunPosition RunPosition.advance(RunEvent)
  RunPosition: public RunPosition(long,int,int,long,long)
  RunPosition: public final String RunPosition.toString()
  RunPosition: public final boolean RunPosition.equals(Object)
  RunPosition: public final int RunPosition.hashCode()
  RunPosition: public final record RunPosition(long seq, int turn, int attempt, long answerChars, long thoughtChars) extends Record
  RunPosition: public int RunPosition.attempt()
  RunPosition: public int RunPosition.turn()
  RunPosition: public long RunPosition.answerChars()
  RunPosition: public long RunPosition.seq()
  RunPosition: public long RunPosition.thoughtChars()
  RunPosition: public static RunPosition RunPosition.after(long)
  RunPosition: public static final RunPosition RunPosition.START
  RunState: public boolean RunState.terminal()
  RunState: public final enum RunState extends Enum<RunState>
  RunState: public static RunState RunState.valueOf(String)
  RunState: public static RunState[] RunState.values()
  RunState: public static final RunState RunState.ACCEPTED
  RunState: public static final RunState RunState.AWAITING_APPROVAL
  RunState: public static final RunState RunState.CANCELLED
  RunState: public static final RunState RunState.FAILED
  RunState: public static final RunState RunState.QUARANTINED
  RunState: public static final RunState RunState.RUNNING
  RunState: public static final RunState RunState.SUCCEEDED
  RunView: public RunState RunView.state()
  RunView: public RunView(String,String,String,String,String,RunState,String,long,long,long)
  RunView: public String RunView.agentId()
  RunView: public String RunView.originKind()
  RunView: public String RunView.principal()
  RunView: public String RunView.reason()
  RunView: public String RunView.runId()
  RunView: public String RunView.sessionId()
  RunView: public final String RunView.toString()
  RunView: public final boolean RunView.equals(Object)
  RunView: public final int RunView.hashCode()
  RunView: public final record RunView(String runId, String sessionId, String principal, String agentId, String originKind, RunState state, String reason, long createdAtMillis, long updatedAtMillis, long headSeq) extends Record
  RunView: public long RunView.createdAtMillis()
  RunView: public long RunView.headSeq()
  RunView: public long RunView.updatedAtMillis()
  Runs: public abstract AppendedEvent Runs.appendEvent(palyra.api.access.Principal,String,String,String,String)
  Runs: public abstract Following Runs.follow(palyra.api.access.Principal,String,RunPosition,RunObserver)
  Runs: public abstract List<RunView> Runs.runs(palyra.api.access.Principal,String,String,int)
  Runs: public abstract List<SessionView> Runs.sessions(palyra.api.access.Principal,String,String,int,boolean)
  Runs: public abstract List<palyra.api.tape.TapeRecord> Runs.tape(palyra.api.access.Principal,String,long,int)
  Runs: public abstract Optional<RunView> Runs.run(palyra.api.access.Principal,String)
  Runs: public abstract Optional<SessionView> Runs.session(palyra.api.access.Principal,String)
  Runs: public abstract ResolvedSession Runs.resolveSession(palyra.api.access.Principal,SessionQuery)
  Runs: public abstract SessionView Runs.archiveSession(palyra.api.access.Principal,String)
  Runs: public abstract Submission Runs.submission(palyra.api.access.Principal,String)
  Runs: public abstract Submission Runs.submit(palyra.api.access.Principal,SubmittedMessage)
  Runs: public abstract Submission Runs.submit(palyra.api.access.Principal,SubmittedMessage,byte[])
  Runs: public abstract boolean Runs.cancel(palyra.api.access.Principal,String,String)
  Runs: public abstract boolean Runs.retry(palyra.api.access.Principal,String)
  Runs: public abstract interface Runs
  Runs: public default AppendedEvent Runs.appendEvent(palyra.api.access.Principal,String,String,String,String,String)
  Runs: public default Following Runs.follow(palyra.api.access.Principal,String,long,RunObserver)
  Runs: public default Submission Runs.submit(palyra.api.access.Principal,SubmittedMessage,byte[],String)
  SessionQuery: public SessionQuery(String,String,String,String,String,boolean,boolean)
  SessionQuery: public String SessionQuery.channel()
  SessionQuery: public String SessionQuery.deviceId()
  SessionQuery: public String SessionQuery.label()
  SessionQuery: public String SessionQuery.sessionId()
  SessionQuery: public String SessionQuery.sessionKey()
  SessionQuery: public boolean SessionQuery.requireExisting()
  SessionQuery: public boolean SessionQuery.reset()
  SessionQuery: public final String SessionQuery.toString()
  SessionQuery: public final boolean SessionQuery.equals(Object)
  SessionQuery: public final int SessionQuery.hashCode()
  SessionQuery: public final record SessionQuery(String sessionId, String sessionKey, String deviceId, String channel, String label, boolean requireExisting, boolean reset) extends Record
  SessionView: public SessionView(String,String,String,String,String,String,String,long,long,long,String)
  SessionView: public String SessionView.agentId()
  SessionView: public String SessionView.channel()
  SessionView: public String SessionView.deviceId()
  SessionView: public String SessionView.key()
  SessionView: public String SessionView.label()
  SessionView: public String SessionView.lastRunId()
  SessionView: public String SessionView.principal()
  SessionView: public String SessionView.sessionId()
  SessionView: public final String SessionView.toString()
  SessionView: public final boolean SessionView.equals(Object)
  SessionView: public final int SessionView.hashCode()
  SessionView: public final record SessionView(String sessionId, String key, String label, String principal, String deviceId, String channel, String agentId, long createdAtMillis, long updatedAtMillis, long archivedAtMillis, String lastRunId) extends Record
  SessionView: public long SessionView.archivedAtMillis()
  SessionView: public long SessionView.createdAtMillis()
  SessionView: public long SessionView.updatedAtMillis()
  Submission: public String Submission.messageId()
  Submission: public String Submission.runId()
  Submission: public String Submission.sessionId()
  Submission: public Submission(String,String,String,boolean)
  Submission: public boolean Submission.duplicate()
  Submission: public final String Submission.toString()
  Submission: public final boolean Submission.equals(Object)
  Submission: public final int Submission.hashCode()
  Submission: public final record Submission(String messageId, String runId, String sessionId, boolean duplicate) extends Record
  SubmittedMessage: public String SubmittedMessage.agentId()
  SubmittedMessage: public String SubmittedMessage.channel()
  SubmittedMessage: public String SubmittedMessage.dedupeKey()
  SubmittedMessage: public String SubmittedMessage.deviceId()
  SubmittedMessage: public String SubmittedMessage.originKind()
  SubmittedMessage: public String SubmittedMessage.originRunId()
  SubmittedMessage: public String SubmittedMessage.runId()
  SubmittedMessage: public String SubmittedMessage.sessionId()
  SubmittedMessage: public String SubmittedMessage.sessionKey()
  SubmittedMessage: public String SubmittedMessage.sessionLabel()
  SubmittedMessage: public String SubmittedMessage.surface()
  SubmittedMessage: public String SubmittedMessage.text()
  SubmittedMessage: public SubmittedMessage SubmittedMessage.with(String,String,boolean)
  SubmittedMessage: public SubmittedMessage(String,String,String,String,String,String,String,String,String,boolean)
  SubmittedMessage: public SubmittedMessage(String,String,String,String,String,String,String,String,String,boolean,String,String,boolean,String,boolean)
  SubmittedMessage: public SubmittedMessage(String,String,String,String,String,String,String,String,String,boolean,String,String,boolean,String,boolean,palyra.api.channel.MessageOrigin,WhileRunning)
  SubmittedMessage: public WhileRunning SubmittedMessage.whileRunning()
  SubmittedMessage: public boolean SubmittedMessage.allowSensitiveTools()
  SubmittedMessage: public boolean SubmittedMessage.newSession()
  SubmittedMessage: public boolean SubmittedMessage.requireExisting()
  SubmittedMessage: public final String SubmittedMessage.toString()
  SubmittedMessage: public final boolean SubmittedMessage.equals(Object)
  SubmittedMessage: public final int SubmittedMessage.hashCode()
  SubmittedMessage: public final record SubmittedMessage(String surface, String dedupeKey, String sessionId, String sessionKey, String deviceId, String channel, String agentId, String text, String originKind, boolean newSession, String runId, String sessionLabel, boolean requireExisting, String originRunId, boolean allowSensitiveTools, palyra.api.channel.MessageOrigin origin, WhileRunning whileRunning) extends Record
  SubmittedMessage: public palyra.api.channel.MessageOrigin SubmittedMessage.origin()
  SubmittedMessage: public static SubmittedMessage SubmittedMessage.of(String,String)
  SubmittedMessage: public static final int SubmittedMessage.MAX_LABEL
  SubmittedMessage: public static final int SubmittedMessage.MAX_TEXT
  WhileRunning: public final enum WhileRunning extends Enum<WhileRunning>
  WhileRunning: public static WhileRunning WhileRunning.valueOf(String)
  WhileRunning: public static WhileRunning[] WhileRunning.values()
  WhileRunning: public static final WhileRunning WhileRunning.CANCEL
  WhileRunning: public static final WhileRunning WhileRunning.QUEUE
  WhileRunning: public static final WhileRunning WhileRunning.STEER
package palyra.api.tape 7.0.0
  TapeEvent$ApprovalDecision: public List<String> TapeEvent$ApprovalDecision.approvedBy()
  TapeEvent$ApprovalDecision: public String TapeEvent$ApprovalDecision.approvalId()
  TapeEvent$ApprovalDecision: public String TapeEvent$ApprovalDecision.callId()
  TapeEvent$ApprovalDecision: public String TapeEvent$ApprovalDecision.decidedBy()
  TapeEvent$ApprovalDecision: public String TapeEvent$ApprovalDecision.grantId()
  TapeEvent$ApprovalDecision: public String TapeEvent$ApprovalDecision.reason()
  TapeEvent$ApprovalDecision: public String TapeEvent$ApprovalDecision.scope()
  TapeEvent$ApprovalDecision: public String TapeEvent$ApprovalDecision.shape()
  TapeEvent$ApprovalDecision: public TapeEvent$ApprovalDecision(String,String,boolean,String,String,String,String,String,List<String>)
  TapeEvent$ApprovalDecision: public boolean TapeEvent$ApprovalDecision.granted()
  TapeEvent$ApprovalDecision: public final String TapeEvent$ApprovalDecision.toString()
  TapeEvent$ApprovalDecision: public final boolean TapeEvent$ApprovalDecision.equals(Object)
  TapeEvent$ApprovalDecision: public final int TapeEvent$ApprovalDecision.hashCode()
  TapeEvent$ApprovalDecision: public static TapeEvent$ApprovalDecision TapeEvent$ApprovalDecision.expired(String,String)
  TapeEvent$ApprovalDecision: public static final record TapeEvent$ApprovalDecision(String approvalId, String callId, boolean granted, String scope, String decidedBy, String reason, String shape, String grantId, List approvedBy) extends Record implements TapeEvent
  TapeEvent$ApprovalRequest: public String TapeEvent$ApprovalRequest.approvalId()
  TapeEvent$ApprovalRequest: public String TapeEvent$ApprovalRequest.bindingSha256()
  TapeEvent$ApprovalRequest: public String TapeEvent$ApprovalRequest.callId()
  TapeEvent$ApprovalRequest: public String TapeEvent$ApprovalRequest.detailsJson()
  TapeEvent$ApprovalRequest: public TapeEvent$ApprovalRequest(String,String,String,long,String,int)
  TapeEvent$ApprovalRequest: public final String TapeEvent$ApprovalRequest.toString()
  TapeEvent$ApprovalRequest: public final boolean TapeEvent$ApprovalRequest.equals(Object)
  TapeEvent$ApprovalRequest: public final int TapeEvent$ApprovalRequest.hashCode()
  TapeEvent$ApprovalRequest: public int TapeEvent$ApprovalRequest.quorum()
  TapeEvent$ApprovalRequest: public long TapeEvent$ApprovalRequest.expiresAtMillis()
  TapeEvent$ApprovalRequest: public static final record TapeEvent$ApprovalRequest(String approvalId, String callId, String detailsJson, long expiresAtMillis, String bindingSha256, int quorum) extends Record implements TapeEvent
  TapeEvent$ApprovalVoted: public String TapeEvent$ApprovalVoted.approvalId()
  TapeEvent$ApprovalVoted: public String TapeEvent$ApprovalVoted.callId()
  TapeEvent$ApprovalVoted: public String TapeEvent$ApprovalVoted.principal()
  TapeEvent$ApprovalVoted: public String TapeEvent$ApprovalVoted.reason()
  TapeEvent$ApprovalVoted: public String TapeEvent$ApprovalVoted.scope()
  TapeEvent$ApprovalVoted: public TapeEvent$ApprovalVoted(String,String,String,String,String,int,int)
  TapeEvent$ApprovalVoted: public final String TapeEvent$ApprovalVoted.toString()
  TapeEvent$ApprovalVoted: public final boolean TapeEvent$ApprovalVoted.equals(Object)
  TapeEvent$ApprovalVoted: public final int TapeEvent$ApprovalVoted.hashCode()
  TapeEvent$ApprovalVoted: public int TapeEvent$ApprovalVoted.quorum()
  TapeEvent$ApprovalVoted: public int TapeEvent$ApprovalVoted.votes()
  TapeEvent$ApprovalVoted: public static final record TapeEvent$ApprovalVoted(String approvalId, String callId, String principal, String scope, String reason, int votes, int quorum) extends Record implements TapeEvent
  TapeEvent$ExternalEvent: public String TapeEvent$ExternalEvent.actor()
  TapeEvent$ExternalEvent: public String TapeEvent$ExternalEvent.contentJson()
  TapeEvent$ExternalEvent: public String TapeEvent$ExternalEvent.eventId()
  TapeEvent$ExternalEvent: public String TapeEvent$ExternalEvent.kind()
  TapeEvent$ExternalEvent: public String TapeEvent$ExternalEvent.principal()
  TapeEvent$ExternalEvent: public TapeEvent$ExternalEvent(String,String,String,String)
  TapeEvent$ExternalEvent: public TapeEvent$ExternalEvent(String,String,String,String,String)
  TapeEvent$ExternalEvent: public final String TapeEvent$ExternalEvent.toString()
  TapeEvent$ExternalEvent: public final boolean TapeEvent$ExternalEvent.equals(Object)
  TapeEvent$ExternalEvent: public final int TapeEvent$ExternalEvent.hashCode()
  TapeEvent$ExternalEvent: public static final String TapeEvent$ExternalEvent.PLUGIN
  TapeEvent$ExternalEvent: public static final String TapeEvent$ExternalEvent.USER
  TapeEvent$ExternalEvent: public static final record TapeEvent$ExternalEvent(String eventId, String kind, String principal, String contentJson, String actor) extends Record implements TapeEvent
  TapeEvent$Message: public String TapeEvent$Message.messageId()
  TapeEvent$Message: public String TapeEvent$Message.principal()
  TapeEvent$Message: public String TapeEvent$Message.surface()
  TapeEvent$Message: public String TapeEvent$Message.text()
  TapeEvent$Message: public TapeEvent$Message(TapeEvent$Role,String,String,String,String)
  TapeEvent$Message: public TapeEvent$Role TapeEvent$Message.role()
  TapeEvent$Message: public final String TapeEvent$Message.toString()
  TapeEvent$Message: public final boolean TapeEvent$Message.equals(Object)
  TapeEvent$Message: public final int TapeEvent$Message.hashCode()
  TapeEvent$Message: public static final record TapeEvent$Message(TapeEvent$Role role, String text, String principal, String surface, String messageId) extends Record implements TapeEvent
  TapeEvent$ModelThought: public String TapeEvent$ModelThought.text()
  TapeEvent$ModelThought: public TapeEvent$ModelThought(int,int,String)
  TapeEvent$ModelThought: public final String TapeEvent$ModelThought.toString()
  TapeEvent$ModelThought: public final boolean TapeEvent$ModelThought.equals(Object)
  TapeEvent$ModelThought: public final int TapeEvent$ModelThought.hashCode()
  TapeEvent$ModelThought: public int TapeEvent$ModelThought.attempt()
  TapeEvent$ModelThought: public int TapeEvent$ModelThought.turn()
  TapeEvent$ModelThought: public static final record TapeEvent$ModelThought(int turn, int attempt, String text) extends Record implements TapeEvent
  TapeEvent$ModelToken: public String TapeEvent$ModelToken.text()
  TapeEvent$ModelToken: public TapeEvent$ModelToken(int,int,String)
  TapeEvent$ModelToken: public final String TapeEvent$ModelToken.toString()
  TapeEvent$ModelToken: public final boolean TapeEvent$ModelToken.equals(Object)
  TapeEvent$ModelToken: public final int TapeEvent$ModelToken.hashCode()
  TapeEvent$ModelToken: public int TapeEvent$ModelToken.attempt()
  TapeEvent$ModelToken: public int TapeEvent$ModelToken.turn()
  TapeEvent$ModelToken: public static final record TapeEvent$ModelToken(int turn, int attempt, String text) extends Record implements TapeEvent
  TapeEvent$Outcome: public static TapeEvent$Outcome TapeEvent$Outcome.valueOf(String)
  TapeEvent$Outcome: public static TapeEvent$Outcome[] TapeEvent$Outcome.values()
  TapeEvent$Outcome: public static final TapeEvent$Outcome TapeEvent$Outcome.CANCELLED
  TapeEvent$Outcome: public static final TapeEvent$Outcome TapeEvent$Outcome.DENIED
  TapeEvent$Outcome: public static final TapeEvent$Outcome TapeEvent$Outcome.FAILED
  TapeEvent$Outcome: public static final TapeEvent$Outcome TapeEvent$Outcome.INTERRUPTED
  TapeEvent$Outcome: public static final TapeEvent$Outcome TapeEvent$Outcome.SUCCEEDED
  TapeEvent$Outcome: public static final TapeEvent$Outcome TapeEvent$Outcome.TIMED_OUT
  TapeEvent$Outcome: public static final enum TapeEvent$Outcome extends Enum<TapeEvent$Outcome>
  TapeEvent$Role: public static TapeEvent$Role TapeEvent$Role.valueOf(String)
  TapeEvent$Role: public static TapeEvent$Role[] TapeEvent$Role.values()
  TapeEvent$Role: public static final TapeEvent$Role TapeEvent$Role.AGENT
  TapeEvent$Role: public static final TapeEvent$Role TapeEvent$Role.SYSTEM
  TapeEvent$Role: public static final TapeEvent$Role TapeEvent$Role.USER
  TapeEvent$Role: public static final enum TapeEvent$Role extends Enum<TapeEvent$Role>
  TapeEvent$RunStateChanged: public String TapeEvent$RunStateChanged.reason()
  TapeEvent$RunStateChanged: public TapeEvent$RunStateChanged(palyra.api.run.RunState,palyra.api.ErrorCode,String)
  TapeEvent$RunStateChanged: public final String TapeEvent$RunStateChanged.toString()
  TapeEvent$RunStateChanged: public final boolean TapeEvent$RunStateChanged.equals(Object)
  TapeEvent$RunStateChanged: public final int TapeEvent$RunStateChanged.hashCode()
  TapeEvent$RunStateChanged: public palyra.api.ErrorCode TapeEvent$RunStateChanged.code()
  TapeEvent$RunStateChanged: public palyra.api.run.RunState TapeEvent$RunStateChanged.state()
  TapeEvent$RunStateChanged: public static final record TapeEvent$RunStateChanged(palyra.api.run.RunState state, palyra.api.ErrorCode code, String reason) extends Record implements TapeEvent
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.attestationId()
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.callId()
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.executableSha256()
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.executionSha256()
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.executor()
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.keyId()
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.policySha256()
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.sandboxEnforcement()
  TapeEvent$ToolAttestation: public String TapeEvent$ToolAttestation.signature()
  TapeEvent$ToolAttestation: public TapeEvent$ToolAttestation(String,String,String,String,long,boolean,String,String,String,String,String)
  TapeEvent$ToolAttestation: public boolean TapeEvent$ToolAttestation.timedOut()
  TapeEvent$ToolAttestation: public final String TapeEvent$ToolAttestation.toString()
  TapeEvent$ToolAttestation: public final boolean TapeEvent$ToolAttestation.equals(Object)
  TapeEvent$ToolAttestation: public final int TapeEvent$ToolAttestation.hashCode()
  TapeEvent$ToolAttestation: public long TapeEvent$ToolAttestation.executedAtMillis()
  TapeEvent$ToolAttestation: public static final record TapeEvent$ToolAttestation(String attestationId, String callId, String executor, String sandboxEnforcement, long executedAtMillis, boolean timedOut, String policySha256, String executableSha256, String executionSha256, String keyId, String signature) extends Record implements TapeEvent
  TapeEvent$ToolCallOutput: public List<palyra.api.tool.ToolImage> TapeEvent$ToolCallOutput.images()
  TapeEvent$ToolCallOutput: public String TapeEvent$ToolCallOutput.callId()
  TapeEvent$ToolCallOutput: public String TapeEvent$ToolCallOutput.error()
  TapeEvent$ToolCallOutput: public String TapeEvent$ToolCallOutput.outputJson()
  TapeEvent$ToolCallOutput: public String TapeEvent$ToolCallOutput.tool()
  TapeEvent$ToolCallOutput: public TapeEvent$Outcome TapeEvent$ToolCallOutput.outcome()
  TapeEvent$ToolCallOutput: public TapeEvent$ToolCallOutput(String,int,String,TapeEvent$Outcome,String,String)
  TapeEvent$ToolCallOutput: public TapeEvent$ToolCallOutput(String,int,String,TapeEvent$Outcome,String,String,List<palyra.api.tool.ToolImage>)
  TapeEvent$ToolCallOutput: public final String TapeEvent$ToolCallOutput.toString()
  TapeEvent$ToolCallOutput: public final boolean TapeEvent$ToolCallOutput.equals(Object)
  TapeEvent$ToolCallOutput: public final int TapeEvent$ToolCallOutput.hashCode()
  TapeEvent$ToolCallOutput: public int TapeEvent$ToolCallOutput.attempt()
  TapeEvent$ToolCallOutput: public static final record TapeEvent$ToolCallOutput(String callId, int attempt, String tool, TapeEvent$Outcome outcome, String outputJson, String error, List images) extends Record implements TapeEvent
  TapeEvent$ToolCallProposal: public String TapeEvent$ToolCallProposal.callId()
  TapeEvent$ToolCallProposal: public String TapeEvent$ToolCallProposal.inputJson()
  TapeEvent$ToolCallProposal: public String TapeEvent$ToolCallProposal.tool()
  TapeEvent$ToolCallProposal: public TapeEvent$ToolCallProposal(String,int,int,String,String)
  TapeEvent$ToolCallProposal: public final String TapeEvent$ToolCallProposal.toString()
  TapeEvent$ToolCallProposal: public final boolean TapeEvent$ToolCallProposal.equals(Object)
  TapeEvent$ToolCallProposal: public final int TapeEvent$ToolCallProposal.hashCode()
  TapeEvent$ToolCallProposal: public int TapeEvent$ToolCallProposal.index()
  TapeEvent$ToolCallProposal: public int TapeEvent$ToolCallProposal.turn()
  TapeEvent$ToolCallProposal: public static final record TapeEvent$ToolCallProposal(String callId, int turn, int index, String tool, String inputJson) extends Record implements TapeEvent
  TapeEvent$ToolDecision: public List<String> TapeEvent$ToolDecision.approvedBy()
  TapeEvent$ToolDecision: public List<String> TapeEvent$ToolDecision.missing()
  TapeEvent$ToolDecision: public List<String> TapeEvent$ToolDecision.policyIds()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.callId()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.confirmation()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.egress()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.evidenceJson()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.factsSha256()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.grantId()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.operatorReason()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.reason()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.reasonCode()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.setSha256()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.snapshotSha256()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.source()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.tier()
  TapeEvent$ToolDecision: public String TapeEvent$ToolDecision.tool()
  TapeEvent$ToolDecision: public TapeEvent$ToolDecision(String,String,TapeEvent$Verdict,String,String,String,List<String>,String)
  TapeEvent$ToolDecision: public TapeEvent$ToolDecision(String,String,TapeEvent$Verdict,String,String,String,List<String>,String,String,String,List<String>,String,String,String,String,String)
  TapeEvent$ToolDecision: public TapeEvent$ToolDecision(String,String,TapeEvent$Verdict,String,String,String,List<String>,String,String,String,List<String>,String,String,String,String,String,String,List<String>)
  TapeEvent$ToolDecision: public TapeEvent$Verdict TapeEvent$ToolDecision.verdict()
  TapeEvent$ToolDecision: public final String TapeEvent$ToolDecision.toString()
  TapeEvent$ToolDecision: public final boolean TapeEvent$ToolDecision.equals(Object)
  TapeEvent$ToolDecision: public final int TapeEvent$ToolDecision.hashCode()
  TapeEvent$ToolDecision: public static final record TapeEvent$ToolDecision(String callId, String tool, TapeEvent$Verdict verdict, String reasonCode, String reason, String source, List policyIds, String snapshotSha256, String setSha256, String operatorReason, List missing, String tier, String egress, String confirmation, String evidenceJson, String factsSha256, String grantId, List approvedBy) extends Record implements TapeEvent
  TapeEvent$ToolStarted: public String TapeEvent$ToolStarted.callId()
  TapeEvent$ToolStarted: public String TapeEvent$ToolStarted.grantId()
  TapeEvent$ToolStarted: public String TapeEvent$ToolStarted.inputSha256()
  TapeEvent$ToolStarted: public String TapeEvent$ToolStarted.tool()
  TapeEvent$ToolStarted: public TapeEvent$ToolStarted(String,int,String,String)
  TapeEvent$ToolStarted: public TapeEvent$ToolStarted(String,int,String,String,String)
  TapeEvent$ToolStarted: public final String TapeEvent$ToolStarted.toString()
  TapeEvent$ToolStarted: public final boolean TapeEvent$ToolStarted.equals(Object)
  TapeEvent$ToolStarted: public final int TapeEvent$ToolStarted.hashCode()
  TapeEvent$ToolStarted: public int TapeEvent$ToolStarted.attempt()
  TapeEvent$ToolStarted: public static final record TapeEvent$ToolStarted(String callId, int attempt, String tool, String inputSha256, String grantId) extends Record implements TapeEvent
  TapeEvent$TurnFinished: public List<palyra.api.model.ToolProposal> TapeEvent$TurnFinished.proposals()
  TapeEvent$TurnFinished: public String TapeEvent$TurnFinished.counting()
  TapeEvent$TurnFinished: public String TapeEvent$TurnFinished.currency()
  TapeEvent$TurnFinished: public String TapeEvent$TurnFinished.finishReason()
  TapeEvent$TurnFinished: public String TapeEvent$TurnFinished.text()
  TapeEvent$TurnFinished: public TapeEvent$TurnFinished(int,int,String,String,List<palyra.api.model.ToolProposal>,long,long)
  TapeEvent$TurnFinished: public TapeEvent$TurnFinished(int,int,String,String,List<palyra.api.model.ToolProposal>,long,long,String,long,long,String)
  TapeEvent$TurnFinished: public final String TapeEvent$TurnFinished.toString()
  TapeEvent$TurnFinished: public final boolean TapeEvent$TurnFinished.equals(Object)
  TapeEvent$TurnFinished: public final int TapeEvent$TurnFinished.hashCode()
  TapeEvent$TurnFinished: public int TapeEvent$TurnFinished.attempt()
  TapeEvent$TurnFinished: public int TapeEvent$TurnFinished.turn()
  TapeEvent$TurnFinished: public long TapeEvent$TurnFinished.cachedInputTokens()
  TapeEvent$TurnFinished: public long TapeEvent$TurnFinished.costMicros()
  TapeEvent$TurnFinished: public long TapeEvent$TurnFinished.inputTokens()
  TapeEvent$TurnFinished: public long TapeEvent$TurnFinished.outputTokens()
  TapeEvent$TurnFinished: public static final record TapeEvent$TurnFinished(int turn, int attempt, String text, String finishReason, List proposals, long inputTokens, long outputTokens, String counting, long cachedInputTokens, long costMicros, String currency) extends Record implements TapeEvent
  TapeEvent$TurnRestarted: public String TapeEvent$TurnRestarted.reason()
  TapeEvent$TurnRestarted: public TapeEvent$TurnRestarted(int,int,String)
  TapeEvent$TurnRestarted: public final String TapeEvent$TurnRestarted.toString()
  TapeEvent$TurnRestarted: public final boolean TapeEvent$TurnRestarted.equals(Object)
  TapeEvent$TurnRestarted: public final int TapeEvent$TurnRestarted.hashCode()
  TapeEvent$TurnRestarted: public int TapeEvent$TurnRestarted.attempt()
  TapeEvent$TurnRestarted: public int TapeEvent$TurnRestarted.turn()
  TapeEvent$TurnRestarted: public static final record TapeEvent$TurnRestarted(int turn, int attempt, String reason) extends Record implements TapeEvent
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.agentId()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.catalogueSha256()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.leftOut()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.model()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.modelProfile()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.promptProfile()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.provider()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.requestSha256()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.reservationId()
  TapeEvent$TurnStarted: public String TapeEvent$TurnStarted.systemPromptSha256()
  TapeEvent$TurnStarted: public TapeEvent$TurnStarted(int,int,String,String,String,String,String,String,int,long)
  TapeEvent$TurnStarted: public TapeEvent$TurnStarted(int,int,String,String,String,String,String,String,int,long,String,String,String,long,String,long,long)
  TapeEvent$TurnStarted: public final String TapeEvent$TurnStarted.toString()
  TapeEvent$TurnStarted: public final boolean TapeEvent$TurnStarted.equals(Object)
  TapeEvent$TurnStarted: public final int TapeEvent$TurnStarted.hashCode()
  TapeEvent$TurnStarted: public int TapeEvent$TurnStarted.attempt()
  TapeEvent$TurnStarted: public int TapeEvent$TurnStarted.toolBudgetLeft()
  TapeEvent$TurnStarted: public int TapeEvent$TurnStarted.turn()
  TapeEvent$TurnStarted: public long TapeEvent$TurnStarted.contextSeq()
  TapeEvent$TurnStarted: public long TapeEvent$TurnStarted.reservedCostMicros()
  TapeEvent$TurnStarted: public long TapeEvent$TurnStarted.reservedTokens()
  TapeEvent$TurnStarted: public long TapeEvent$TurnStarted.windowTokens()
  TapeEvent$TurnStarted: public static final record TapeEvent$TurnStarted(int turn, int attempt, String agentId, String provider, String model, String requestSha256, String catalogueSha256, String systemPromptSha256, int toolBudgetLeft, long contextSeq, String modelProfile, String promptProfile, String leftOut, long windowTokens, String reservationId, long reservedTokens, long reservedCostMicros) extends Record implements TapeEvent
  TapeEvent$Unknown: public String TapeEvent$Unknown.type()
  TapeEvent$Unknown: public TapeEvent$Unknown(String,int)
  TapeEvent$Unknown: public final String TapeEvent$Unknown.toString()
  TapeEvent$Unknown: public final boolean TapeEvent$Unknown.equals(Object)
  TapeEvent$Unknown: public final int TapeEvent$Unknown.hashCode()
  TapeEvent$Unknown: public int TapeEvent$Unknown.schema()
  TapeEvent$Unknown: public static final record TapeEvent$Unknown(String type, int schema) extends Record implements TapeEvent
  TapeEvent$Verdict: public static TapeEvent$Verdict TapeEvent$Verdict.valueOf(String)
  TapeEvent$Verdict: public static TapeEvent$Verdict[] TapeEvent$Verdict.values()
  TapeEvent$Verdict: public static final TapeEvent$Verdict TapeEvent$Verdict.ALLOW
  TapeEvent$Verdict: public static final TapeEvent$Verdict TapeEvent$Verdict.APPROVAL_REQUIRED
  TapeEvent$Verdict: public static final TapeEvent$Verdict TapeEvent$Verdict.DENY
  TapeEvent$Verdict: public static final enum TapeEvent$Verdict extends Enum<TapeEvent$Verdict>
  TapeEvent: public abstract sealed interface TapeEvent permits TapeEvent$ApprovalDecision, TapeEvent$ApprovalRequest, TapeEvent$ApprovalVoted, TapeEvent$ExternalEvent, TapeEvent$Message, TapeEvent$ModelThought, TapeEvent$ModelToken, TapeEvent$RunStateChanged, TapeEvent$ToolAttestation, TapeEvent$ToolCallOutput, TapeEvent$ToolCallProposal, TapeEvent$ToolDecision, TapeEvent$ToolStarted, TapeEvent$TurnFinished, TapeEvent$TurnRestarted, TapeEvent$TurnStarted, TapeEvent$Unknown
  TapeRecord: public Optional<byte[]> TapeRecord.payloadIfKept()
  TapeRecord: public String TapeRecord.streamId()
  TapeRecord: public String TapeRecord.type()
  TapeRecord: public TapeRecord(String,long,String,long,int,byte[],byte[],byte[],byte[],byte[])
  TapeRecord: public byte[] TapeRecord.commitment()
  TapeRecord: public byte[] TapeRecord.hash()
  TapeRecord: public byte[] TapeRecord.payload()
  TapeRecord: public byte[] TapeRecord.prevHash()
  TapeRecord: public byte[] TapeRecord.salt()
  TapeRecord: public final String TapeRecord.toString()
  TapeRecord: public final boolean TapeRecord.equals(Object)
  TapeRecord: public final int TapeRecord.hashCode()
  TapeRecord: public final record TapeRecord(String streamId, long seq, String type, long timeMillis, int schema, byte[] salt, byte[] payload, byte[] commitment, byte[] prevHash, byte[] hash) extends Record
  TapeRecord: public int TapeRecord.schema()
  TapeRecord: public long TapeRecord.seq()
  TapeRecord: public long TapeRecord.timeMillis()
  TapeRecord: public static boolean TapeRecord.isJournal(String)
  TapeRecord: public static final String TapeRecord.JOURNAL_STREAM
package palyra.api.tool 1.2.0
  Capability: public boolean Capability.sensitive()
  Capability: public final enum Capability extends Enum<Capability>
  Capability: public static Capability Capability.valueOf(String)
  Capability: public static Capability[] Capability.values()
  Capability: public static final Capability Capability.ARTIFACTS_READ
  Capability: public static final Capability Capability.CODE_EXEC
  Capability: public static final Capability Capability.FILESYSTEM_READ
  Capability: public static final Capability Capability.FILESYSTEM_WRITE
  Capability: public static final Capability Capability.NETWORK
  Capability: public static final Capability Capability.OTHER
  Capability: public static final Capability Capability.PROCESS_EXEC
  Capability: public static final Capability Capability.SECRETS_READ
  Tool: public abstract ToolDescriptor Tool.descriptor()
  Tool: public abstract ToolResult Tool.execute(ToolInvocation) throws Exception
  Tool: public abstract interface Tool
  ToolDescriptor: public Set<Capability> ToolDescriptor.capabilities()
  ToolDescriptor: public String ToolDescriptor.description()
  ToolDescriptor: public String ToolDescriptor.inputSchemaJson()
  ToolDescriptor: public String ToolDescriptor.name()
  ToolDescriptor: public ToolDescriptor(String,String,String,Set<Capability>,boolean,boolean,long,int)
  ToolDescriptor: public boolean ToolDescriptor.idempotent()
  ToolDescriptor: public boolean ToolDescriptor.readOnly()
  ToolDescriptor: public boolean ToolDescriptor.sensitive()
  ToolDescriptor: public final String ToolDescriptor.toString()
  ToolDescriptor: public final boolean ToolDescriptor.equals(Object)
  ToolDescriptor: public final int ToolDescriptor.hashCode()
  ToolDescriptor: public final record ToolDescriptor(String name, String description, String inputSchemaJson, Set capabilities, boolean idempotent, boolean readOnly, long timeoutMillis, int maxInputBytes) extends Record
  ToolDescriptor: public int ToolDescriptor.maxInputBytes()
  ToolDescriptor: public long ToolDescriptor.timeoutMillis()
  ToolImage: public String ToolImage.data()
  ToolImage: public String ToolImage.mediaType()
  ToolImage: public String ToolImage.sha256()
  ToolImage: public ToolImage(String,String,String)
  ToolImage: public final String ToolImage.toString()
  ToolImage: public final boolean ToolImage.equals(Object)
  ToolImage: public final int ToolImage.hashCode()
  ToolImage: public final record ToolImage(String mediaType, String sha256, String data) extends Record
  ToolImage: public static ToolImage ToolImage.of(String,byte[])
  ToolImage: public static final Set<String> ToolImage.MEDIA_TYPES
  ToolImage: public static final int ToolImage.MAX_BYTES
  ToolInvocation: public String ToolInvocation.callId()
  ToolInvocation: public String ToolInvocation.inputJson()
  ToolInvocation: public String ToolInvocation.principalId()
  ToolInvocation: public String ToolInvocation.runId()
  ToolInvocation: public String ToolInvocation.sessionId()
  ToolInvocation: public ToolInvocation(String,int,String,String,String,String,long)
  ToolInvocation: public final String ToolInvocation.toString()
  ToolInvocation: public final boolean ToolInvocation.equals(Object)
  ToolInvocation: public final int ToolInvocation.hashCode()
  ToolInvocation: public final record ToolInvocation(String callId, int attempt, String runId, String sessionId, String principalId, String inputJson, long deadlineMillis) extends Record
  ToolInvocation: public int ToolInvocation.attempt()
  ToolInvocation: public long ToolInvocation.deadlineMillis()
  ToolResult: public String ToolResult.error()
  ToolResult: public String ToolResult.outputJson()
  ToolResult: public ToolResult(boolean,String,String)
  ToolResult: public boolean ToolResult.success()
  ToolResult: public final String ToolResult.toString()
  ToolResult: public final boolean ToolResult.equals(Object)
  ToolResult: public final int ToolResult.hashCode()
  ToolResult: public final record ToolResult(boolean success, String outputJson, String error) extends Record
  ToolResult: public static ToolResult ToolResult.failed(String)
  ToolResult: public static ToolResult ToolResult.of(String)
