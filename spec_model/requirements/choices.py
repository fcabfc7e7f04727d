"""Every choice of the model, one type each.

What each value means stands in `questions/*.json`; a test compares the two.
"""

from __future__ import annotations

from spec_model.requirements.choice import Choice


class ProbeProcessExit(Choice, id="era.probe.process-exit"):
    """What does a dual-era client do when the server process exits on the probe instead of answering it?"""

    RESTART_THEN_INITIALIZE = "restart-then-initialize"
    RESTART_THEN_PROBE_ONCE_MORE = "restart-then-probe-once-more"


class FallbackStatus(Choice, id="era.http.fallback-status"):
    """Which 4xx statuses, with a body that is empty or no recognized modern error, identify a legacy server?"""

    ANY_4XX = "any-4xx"
    ONLY_400 = "only-400"
    STATUS_400_404_405 = "400-404-405"


class NonClientErrorFailure(Choice, id="era.http.non-4xx-failure"):
    """Does an HTTP probe that ends in a 5xx, an unfollowed redirect, a time-out, or a 2xx without any JSON-RPC message
    identify a legacy server?"""

    NO_EVIDENCE = "no-evidence"
    LEGACY = "legacy"


class AuthStatus(Choice, id="era.http.auth-status"):
    """What does a 401 or 403 on the first modern request say about the era?"""

    INITIALIZE_WHEN_CREDENTIAL_PRESENTED = "initialize-when-credential-presented"
    CHALLENGE_ONLY = "challenge-only"


class LateAnswer(Choice, id="era.stdio.late-answer"):
    """What becomes of a discovery result that arrives after the probe timed out and the handshake began?"""

    KEEP_LEGACY = "keep-legacy"
    ADOPT_MODERN_BEFORE_HANDSHAKE_COMPLETES = "adopt-modern-before-handshake-completes"


class CancelAbandonedProbe(Choice, id="era.stdio.cancel-abandoned-probe"):
    """Does the client cancel a probe that timed out before it sends initialize in the same process?"""

    SEND_NOTHING = "send-nothing"
    SEND_CANCELLED = "send-cancelled"


class UncorrelatedError(Choice, id="era.stdio.uncorrelated-error"):
    """Is an error with a null or missing id an answer to the only outstanding request, the probe?"""

    ANSWER_TO_THE_PROBE = "answer-to-the-probe"
    NOT_AN_ANSWER = "not-an-answer"


class DefectiveDiscoverResult(Choice, id="era.probe.defective-discover-result"):
    """Is a successful answer to server/discover that lacks or misstates required members a sign of a modern server?"""

    MODERN_WITH_FAULT = "modern-with-fault"
    LEGACY = "legacy"
    USE_THE_VERSIONS = "use-the-versions"


class RecognizedModernErrors(Choice, id="era.recognized-modern-errors"):
    """Which JSON-RPC errors count as recognized modern errors?"""

    THREE_CODES_AND_404_EXCEPT_FOR_DISCOVER = "three-codes-and-404-except-for-discover"
    UNSUPPORTED_VERSION_ONLY = "unsupported-version-only"
    THREE_MCP_CODES = "three-mcp-codes"
    THREE_CODES_AND_404_METHOD_NOT_FOUND = "three-codes-and-404-method-not-found"


class LegacyOnlySupported(Choice, id="era.probe.legacy-only-supported"):
    """What does a dual-era client do when an unsupported-version error or a discovery result offers only legacy
    versions that it speaks?"""

    INITIALIZE_WITH_LISTED_VERSION = "initialize-with-listed-version"
    SURFACE_NO_COMMON_VERSION = "surface-no-common-version"


class FirstResultWithoutType(Choice, id="era.http.result-without-result-type"):
    """If the first modern request was an ordinary method and succeeds without resultType, is the server modern?"""

    UNDETERMINED_PROBE_NEXT = "undetermined-probe-next"
    MODERN = "modern"
    UNDETERMINED_USE_RESULT = "undetermined-use-result"


class StdioResultWithoutType(Choice, id="era.stdio.result-without-result-type"):
    """A client left the probe out, and its first request succeeds without resultType: is the server modern?"""

    USE_RESULT = "use-result"
    PROBE_NEXT = "probe-next"
    MODERN = "modern"


class EraCacheKey(Choice, id="era.cache.http-key"):
    """Under which key does a client store the era of an HTTP server?"""

    ENDPOINT_URL = "endpoint-url"
    ORIGIN = "origin"


class LineWithoutMessage(Choice, id="era.stdio.line-without-message"):
    """What does a client do with a line on standard output that is no message while it waits for the answer to its
    probe?"""

    IGNORE_LINE = "ignore-line"
    TRANSPORT_FAILURE = "transport-failure"


class RedirectedRequest(Choice, id="era.http.redirect"):
    """Does a client follow a redirect of a request that opens the negotiation?"""

    FOLLOW_SAME_ORIGIN_307_308 = "follow-same-origin-307-308"
    FOLLOW_WITH_POST = "follow-with-post"
    NOT_FOLLOWED = "not-followed"


class OldTransportOrder(Choice, id="era.http.old-transport-order"):
    """What follows a modern request refused with 400, 404 or 405 when the client also speaks HTTP+SSE: initialize, or
    the GET?"""

    INITIALIZE_FIRST = "initialize-first"
    GET_FIRST = "get-first"


class OrdinaryError(Choice, id="era.http.ordinary-error"):
    """What does an unrecognized JSON-RPC error with a 2xx status say about the era when the first modern request was an
    ordinary method?"""

    UNDETERMINED_PROBE_NEXT = "undetermined-probe-next"
    LEGACY = "legacy"
    UNDETERMINED_REPORT = "undetermined-report"


class DiscoverError(Choice, id="era.http.discover-error"):
    """Does an unrecognized JSON-RPC error with a 2xx status in answer to server/discover identify a legacy server?"""

    LEGACY = "legacy"
    NO_EVIDENCE = "no-evidence"


class RememberedLegacyRefused(Choice, id="era.http.remembered-legacy-refused"):
    """A remembered legacy era, and initialize is refused with 400, 404 or 405: what does a client that also speaks
    HTTP+SSE try first?"""

    PROBE_FIRST = "probe-first"
    GET_FIRST = "get-first"


class RememberedOpening(Choice, id="era.remembered-opening"):
    """With which request does a client open towards a server that it remembers as modern?"""

    REQUEST_AT_ONCE = "request-at-once"
    DISCOVER_FIRST = "discover-first"


class FirstHttpRequest(Choice, id="era.http.first-request"):
    """With which request does a client open towards an HTTP server that it may speak to in a modern version?"""

    SERVER_DISCOVER = "server-discover"
    ORDINARY_REQUEST = "ordinary-request"


class PersistEra(Choice, id="era.cache.persist"):
    """Does a client use an era that it detected before it was restarted?"""

    PROBE_AFTER_RESTART = "probe-after-restart"
    SAME_CONFIGURATION = "same-configuration"


class ModernOnlyProbe(Choice, id="era.stdio.modern-only-probe"):
    """Does a client that speaks modern versions only probe a stdio server before its first request?"""

    PROBE_FIRST = "probe-first"
    REQUEST_AT_ONCE = "request-at-once"


class ModernOnlySilence(Choice, id="era.stdio.modern-only-silence"):
    """What does a client that speaks modern versions only report when its probe is never answered?"""

    LEGACY_SERVER = "legacy-server"
    TRANSPORT_FAILURE = "transport-failure"


class UnexplainedAnswer(Choice, id="era.stdio.unexplained-answer"):
    """What does a client that left the probe out do on an unrecognized error or on silence in answer to its first
    request?"""

    REPORT = "report"
    PROBE_NEXT = "probe-next"


class FailedAssumption(Choice, id="era.cache.failed-assumption"):
    """Does an unrecognized error or silence in answer to an ordinary request show that a remembered modern era is
    wrong?"""

    PROBE_AGAIN = "probe-again"
    NO_EVIDENCE = "no-evidence"


class InitializeWithModernMeta(Choice, id="era.server.initialize-with-modern-meta"):
    """How does a dual-era server treat initialize that carries complete modern per-request metadata?"""

    UNKNOWN_METHOD = "unknown-method"
    LEGACY_HANDSHAKE = "legacy-handshake"


class InitializeWithModernMarker(Choice, id="era.server.initialize-with-modern-marker"):
    """How does a dual-era server treat initialize that has a modern version header or some reserved per-request keys,
    and no modern version in its metadata?"""

    LEGACY_HANDSHAKE = "legacy-handshake"
    MALFORMED_MODERN_REQUEST = "malformed-modern-request"


class ModernOnlyInitializeError(Choice, id="era.server.modern-only-initialize-error"):
    """Which error does a modern-only HTTP server return to a plain legacy initialize?"""

    HEADER_MISMATCH = "header-mismatch"
    UNSUPPORTED_VERSION = "unsupported-version"
    INVALID_PARAMS = "invalid-params"


class MixedErasOnProcess(Choice, id="era.server.mixed-eras-on-process"):
    """May both eras be used one after the other on one stdio process of a dual-era server?"""

    PER_REQUEST = "per-request"
    FIRST_OPENING_DECIDES = "first-opening-decides"


class RequestWithoutOpening(Choice, id="era.server.request-without-opening"):
    """How does a dual-era stdio server treat a request that has no modern metadata when no initialize came before?"""

    INVALID_PARAMS = "invalid-params"
    SERVE_AS_LEGACY = "serve-as-legacy"


class LegacySessionModernBody(Choice, id="era.server.legacy-session-modern-body"):
    """What decides when a request in a live legacy session with a legacy version header carries modern metadata?"""

    HEADER_MISMATCH = "header-mismatch"
    LEGACY_SESSION_DECIDES = "legacy-session-decides"


class PartialMetadataInSession(Choice, id="era.server.legacy-session-partial-metadata"):
    """What is a request in a live legacy session that has reserved per-request keys and no protocol version among
    them?"""

    LEGACY_REQUEST = "legacy-request"
    MALFORMED_MODERN_REQUEST = "malformed-modern-request"


class AbsentVersionHeaderModernBody(Choice, id="era.server.absent-version-header-modern-body"):
    """How does a server that also supports the oldest HTTP clients treat a modern body without a version header?"""

    HEADER_MISMATCH = "header-mismatch"
    ASSUME_2025_03_26 = "assume-2025-03-26"


class ModernMarker(Choice, id="era.server.modern-marker"):
    """What makes an incomplete request a modern one for a dual-era server outside any legacy session?"""

    ANY_KEY_OR_MODERN_HEADER = "any-key-or-modern-header"
    VERSION_KEY_ONLY = "version-key-only"
    ANY_PER_REQUEST_KEY = "any-per-request-key"


class LegacyServerReaction(Choice, id="era.server.legacy-reaction"):
    """How does a legacy-only server react to a request that no handshake preceded?"""

    REFUSE = "refuse"
    SILENCE = "silence"
    LEGACY_SEMANTICS = "legacy-semantics"


class UnreadableBody(Choice, id="http.unreadable-body"):
    """What answers an HTTP body that is no JSON or no valid JSON-RPC message?"""

    ERROR_WITH_STATUS_400 = "error-with-status-400"
    STATUS_400_ALONE = "status-400-alone"
    ERROR_WITH_STATUS_200 = "error-with-status-200"


class AbsentVersionHeader(Choice, id="http.absent-version-header"):
    """How does a server that supports the oldest HTTP clients take a request of no session that has neither a version
    header nor modern metadata?"""

    ASSUME_2025_03_26 = "assume-2025-03-26"
    REFUSE = "refuse"


class ClientNotification(Choice, id="http.client-notification"):
    """Which notifications does a server accept over HTTP outside a legacy session?"""

    ACCEPT_KNOWN = "accept-known"
    ACCEPT_ALL = "accept-all"
    REFUSE_ALL = "refuse-all"


class SupportedListContent(Choice, id="versions.supported-list-content"):
    """Which versions does a dual-era server list in an unsupported-version error and in its discovery result?"""

    ALL_IMPLEMENTED = "all-implemented"
    MODERN_ONLY = "modern-only"


class RetryBound(Choice, id="versions.retry-bound"):
    """How often does a client retry after unsupported-version errors?"""

    EACH_VERSION_ONCE = "each-version-once"
    ONE_RETRY = "one-retry"
    ONE_RETRY_THEN_LISTED_LEGACY = "one-retry-then-listed-legacy"


class UnsupportedErrorWithoutList(Choice, id="versions.unsupported-error-without-list"):
    """What does code -32022 mean when its data is missing, is malformed or lists nothing?"""

    MODERN_NO_COMMON_VERSION = "modern-no-common-version"
    NOT_THE_DEFINED_ERROR = "not-the-defined-error"
    TRY_OWN_VERSIONS = "try-own-versions"


class RetryAfterRefusal(Choice, id="versions.retry-after-refusal"):
    """Does a client retry after an unsupported-version error that lists a modern version which it speaks?"""

    RETRY = "retry"
    REPORT = "report"


class VersionPreference(Choice, id="versions.preference"):
    """Which version does a client choose when it has several in common with the server?"""

    OWN_PREFERENCE = "own-preference"
    NEWEST = "newest"
    ORDER_OF_THE_LIST = "order-of-the-list"


class PartlyMalformedList(Choice, id="versions.partly-malformed-list"):
    """Does a client use a version list that holds other things beside strings, or that comes without the version that
    was asked for?"""

    USE_WHAT_IS_USABLE = "use-what-is-usable"
    MALFORMED_AS_A_WHOLE = "malformed-as-a-whole"


class ModernVersionInHandshake(Choice, id="versions.modern-version-in-handshake"):
    """What does a dual-era client do when the answer to initialize names a modern version that it speaks?"""

    DISCONNECT = "disconnect"
    LEGACY_SEMANTICS = "legacy-semantics"


class InitializeVersion(Choice, id="versions.initialize-version"):
    """Which of its legacy versions does a client name in initialize?"""

    LATEST = "latest"
    OLDER = "older"
    OLDEST = "oldest"


class InitializeAnswer(Choice, id="versions.initialize-answer"):
    """Which version does a server name in its answer to initialize when it does not support the requested one?"""

    LATEST = "latest"
    OLDER = "older"


class UnsupportedInitialize(Choice, id="versions.unsupported-initialize"):
    """How does a server answer an initialize for a version that it does not support?"""

    ANOTHER_VERSION = "another-version"
    ERROR = "error"


class MonthEnd(Choice, id="lifecycle.month-end"):
    """When do so many months end that would end on a day which their last month does not have?"""

    LAST_DAY = "last-day"
    NEXT_DAY = "next-day"


class LegacyVersionInMeta(Choice, id="versions.legacy-version-in-meta"):
    """How does a dual-era server treat a legacy version that it implements, named in per-request metadata?"""

    UNSUPPORTED_VERSION = "unsupported-version"
    SERVE_STATELESSLY = "serve-statelessly"
    TREAT_AS_LEGACY_REQUEST = "treat-as-legacy-request"


class AbsentResultTypeOnModern(Choice, id="results.absent-result-type-on-modern"):
    """Is a result without resultType valid when the server is known to speak this revision?"""

    COMPLETE = "complete"
    INVALID = "invalid"


class ModernFieldsTowardsLegacyClient(Choice, id="results.modern-fields-towards-legacy-client"):
    """Does a dual-era server send resultType and caching hints to a client in a legacy session?"""

    OMIT = "omit"
    KEEP = "keep"


class ResultTypeFromLegacyServer(Choice, id="results.result-type-from-legacy-server"):
    """What does a client do with a resultType that it does not know in a result from a legacy server?"""

    IGNORE = "ignore"
    INVALID = "invalid"


class AbsentTtl(Choice, id="caching.absent-ttl"):
    """How does a client treat a cacheable result without ttlMs from a modern server?"""

    ZERO = "zero"
    OWN_HEURISTIC = "own-heuristic"
    INVALID_RESULT = "invalid-result"


class AbsentCacheScope(Choice, id="caching.absent-cache-scope"):
    """Which scope has a cacheable result without cacheScope?"""

    PRIVATE = "private"
    DO_NOT_STORE = "do-not-store"
    INVALID_RESULT = "invalid-result"


class UnknownCacheScope(Choice, id="caching.unknown-cache-scope"):
    """How is a cacheScope value other than the two defined ones treated?"""

    PRIVATE = "private"
    DO_NOT_STORE = "do-not-store"
    INVALID_RESULT = "invalid-result"


class NonIntegerTtl(Choice, id="caching.non-integer-ttl"):
    """How does a client treat a ttlMs that is no integer, such as a fraction, a string or null?"""

    TREAT_AS_ZERO = "treat-as-zero"
    ROUND_DOWN_NUMBERS = "round-down-numbers"
    INVALID_RESULT = "invalid-result"


class InFlightAtInvalidation(Choice, id="caching.in-flight-at-invalidation"):
    """Is a response fresh whose request was sent before, and which arrives after, a change notification for it?"""

    STALE = "stale"
    FRESH = "fresh"


class ListChangeVersusReads(Choice, id="caching.list-change-versus-reads"):
    """Does a change of the resource list invalidate cached reads of resources?"""

    KEEP_READS = "keep-reads"
    DROP_READS = "drop-reads"


class ListChangeVersusTemplates(Choice, id="caching.list-change-versus-templates"):
    """Does a change of the resource list invalidate the cached list of resource templates?"""

    DROP_TEMPLATES = "drop-templates"
    KEEP_TEMPLATES = "keep-templates"


class UpdateOfSubResource(Choice, id="caching.update-of-sub-resource"):
    """Does the update of a resource invalidate the cached read of a resource that contains it?"""

    THAT_URI_ONLY = "that-uri-only"
    CONTAINING_TOO = "containing-too"


class StaleToolListForHeaders(Choice, id="caching.stale-tool-list-for-headers"):
    """May a client build parameter headers from a tool list whose lifetime has ended?"""

    USE_LAST_KNOWN = "use-last-known"
    REFETCH_FIRST = "refetch-first"


class PageAggregate(Choice, id="caching.page-aggregate"):
    """Which hints has a list that a client library assembles from several pages?"""

    STRICTEST_OF_PAGES = "strictest-of-pages"
    PER_PAGE_ONLY = "per-page-only"


class PrivateWithoutCredentials(Choice, id="caching.private-without-credentials"):
    """With whom may a private result be shared that was obtained without any credential?"""

    ONE_CLIENT_INSTANCE = "one-client-instance"
    COMMON_ANONYMOUS_CONTEXT = "common-anonymous-context"


class AuthorizationContextKey(Choice, id="caching.authorization-context-key"):
    """Does a renewed access token of the same principal keep its private cache?"""

    PER_TOKEN = "per-token"
    PER_PRINCIPAL_AND_GRANT = "per-principal-and-grant"


class UnsolicitedListChanged(Choice, id="caching.unsolicited-list-changed"):
    """Does a change notification without subscription id invalidate the cache?"""

    INVALIDATE = "invalidate"
    IGNORE = "ignore"


class MetaInCacheKey(Choice, id="caching.meta-in-key"):
    """Which members of a request's _meta belong to the cache key?"""

    RESULT_AFFECTING_MEMBERS = "result-affecting-members"
    WHOLE_META = "whole-meta"


class RefusedCursorErrors(Choice, id="caching.refused-cursor-errors"):
    """Which failures of a page request say that its cursor, valid until then, has become invalid?"""

    ANY_ERROR_RESPONSE = "any-error-response"
    INVALID_PARAMS_ONLY = "invalid-params-only"


class NonStringCursor(Choice, id="pagination.non-string-cursor"):
    """What does a client do with a nextCursor that is neither a string nor null?"""

    REFUSE = "refuse"
    SEND_BACK = "send-back"


class EarlyRefetch(Choice, id="caching.early-refetch"):
    """Does a client fetch a fresh result again when it has grounds to think that the data changed?"""

    NEVER = "never"
    ON_GROUNDS = "on-grounds"
    ON_ANY_ERROR = "on-any-error"


class FailedEarlyRefetch(Choice, id="caching.failed-early-refetch"):
    """What does the caller get when a result that is still fresh is fetched again on grounds and the fetch fails?"""

    SERVE_HELD = "serve-held"
    RAISE_ERROR = "raise-error"


class StaleOnError(Choice, id="caching.stale-on-error"):
    """What does the caller get when a stale result is fetched again and the fetch fails?"""

    RAISE_ERROR = "raise-error"
    SERVE_STALE = "serve-stale"


class Storing(Choice, id="caching.storing"):
    """Does an implementation keep results at all?"""

    STORES = "stores"
    KEEPS_NOTHING = "keeps-nothing"


class ZeroLifetimeEntries(Choice, id="caching.zero-lifetime-entries"):
    """Does a client keep a result whose lifetime is zero?"""

    NOT_KEPT = "not-kept"
    KEPT_FOR_ERRORS = "kept-for-errors"


class SharePublic(Choice, id="caching.share-public"):
    """Is a public result served to callers of another authorization context than the one that it was obtained in?"""

    WITHIN_CONTEXT = "within-context"
    ACROSS_CONTEXTS = "across-contexts"


class HttpFaultOrder(Choice, id="http.fault-order"):
    """Which fault is reported when a request breaks several rules at once?"""

    METADATA_HEADER_VERSION_METHOD = "metadata-header-version-method"
    HEADER_FIRST = "header-first"
    VERSION_FIRST = "version-first"
    ANY_APPLICABLE = "any-applicable"


class StdioFaultOrder(Choice, id="meta.fault-order"):
    """Which fault is reported on stdio when version, required metadata, method and params are wrong together?"""

    METADATA_VERSION_METHOD_PARAMS = "metadata-version-method-params"
    VERSION_FIRST = "version-first"
    METHOD_FIRST = "method-first"


class VersionHeaderWithoutBodyVersion(Choice, id="http.version-header-without-body-version"):
    """Which error answers a modern version header over a body whose version key is absent or no string?"""

    INVALID_PARAMS = "invalid-params"
    HEADER_MISMATCH = "header-mismatch"
    BY_CASE = "by-case"


class RefusalBody(Choice, id="http.refusal-body"):
    """What body do 403, 405, 406 and 415 refusals carry?"""

    EMPTY = "empty"
    ERROR_WITHOUT_ID = "error-without-id"
    ERROR_WITH_LEGACY_RANGE_CODE = "error-with-legacy-range-code"


class HandlerErrorStatus(Choice, id="http.handler-error-status"):
    """Which HTTP status carries a JSON-RPC error that arises in a handler, such as a missing resource?"""

    STATUS_200 = "status-200"
    STATUS_400 = "status-400"


class BrokenStream(Choice, id="http.broken-stream"):
    """Does a client send a request again whose response stream broke before the response?"""

    RESEND_AUTOMATICALLY = "resend-automatically"
    CALLER_DECIDES = "caller-decides"


class ErrorIdWhenUnreadable(Choice, id="jsonrpc.error-id-when-unreadable"):
    """Which id has an error whose request id could not be read or is of a forbidden type?"""

    OMIT_ID = "omit-id"
    NULL_ID = "null-id"


class IdIntegralFloat(Choice, id="jsonrpc.id-integral-float"):
    """Is a request id written as 1.0 an integer?"""

    ACCEPT_AS_INTEGER = "accept-as-integer"
    REFUSE = "refuse"


class UnreadableLine(Choice, id="stdio.unreadable-line"):
    """Does a stdio server answer a line that is no JSON, no valid JSON-RPC message, or a message that only a server
    sends?"""

    ANSWER_WITH_ERROR = "answer-with-error"
    SILENCE = "silence"


class Newline(Choice, id="stdio.newline"):
    """Which characters are a newline between the messages on stdio?"""

    LINE_FEED = "line-feed"
    ANY_LINE_END = "any-line-end"


class ReadingUnit(Choice, id="stdio.reading-unit"):
    """What does a reader on stdio take for a message: a line or a JSON value?"""

    LINE = "line"
    JSON_VALUE = "json-value"


class UnterminatedLine(Choice, id="stdio.unterminated-line"):
    """Is a complete message a message on stdio when the stream ends without a newline after it?"""

    NO_MESSAGE = "no-message"
    MESSAGE = "message"


class ByteOrderMark(Choice, id="stdio.byte-order-mark"):
    """What does a reader on stdio do with a byte order mark in front of a message?"""

    SKIP = "skip"
    REFUSE = "refuse"


class LostRequest(Choice, id="stdio.lost-request"):
    """Does a client send a request again, to a fresh process, that was in flight when the server process exited?"""

    REPORT_LOSS = "report-loss"
    SEND_AGAIN = "send-again"


class RestartMoment(Choice, id="stdio.restart-moment"):
    """When does a client with nothing to send start a fresh process in place of one that exited?"""

    AT_ONCE = "at-once"
    ON_NEXT_USE = "on-next-use"


class ShutdownEscalation(Choice, id="stdio.shutdown-escalation"):
    """How does a client on POSIX terminate a server by force?"""

    TERMINATE_THEN_KILL = "terminate-then-kill"
    KILL_AT_ONCE = "kill-at-once"


class MalformedOptionalField(Choice, id="meta.malformed-optional-field"):
    """How does a server treat an optional metadata field, or a member inside the capabilities, of the wrong shape?"""

    INVALID_PARAMS = "invalid-params"
    IGNORE_FIELD = "ignore-field"


class WrongContainerType(Choice, id="meta.wrong-container-type"):
    """Which code answers params or _meta that are no objects?"""

    BY_LEVEL = "by-level"
    INVALID_PARAMS = "invalid-params"
    INVALID_REQUEST = "invalid-request"


class ServerInfoOnRelay(Choice, id="meta.server-info-on-relay"):
    """Whose identity does a gateway put into the metadata of a result that it relays?"""

    OWN = "own"
    UPSTREAM = "upstream"


class LegacyClientNeedsInput(Choice, id="mrtr.legacy-client-needs-input"):
    """What does a dual-era server do when a handler needs client input and the client is a legacy one?"""

    LEGACY_SERVER_REQUEST = "legacy-server-request"
    ERROR = "error"


class MissingElicitationMode(Choice, id="capabilities.missing-elicitation-mode"):
    """Which error answers a request that needs an elicitation mode which the client did not declare although it
    declared elicitation?"""

    MISSING_CAPABILITY = "missing-capability"
    INVALID_PARAMS = "invalid-params"


class RequiredListContent(Choice, id="capabilities.required-list-content"):
    """Does a missing-capability error list only what is missing or all that is required?"""

    ONLY_MISSING = "only-missing"
    ALL_REQUIRED = "all-required"


class MessagesAfterCancel(Choice, id="cancellation.messages-after-cancel"):
    """May a stdio server still send messages for a request after it received the cancellation?"""

    NOTHING_AFTER_RECEIPT = "nothing-after-receipt"
    RESPONSE_IF_NOT_CANCELLABLE = "response-if-not-cancellable"


class ListenMandatory(Choice, id="subscriptions.listen-mandatory"):
    """Must a server that has nothing to notify implement subscriptions/listen?"""

    MANDATORY = "mandatory"
    ONLY_WITH_CAPABILITY = "only-with-capability"


class RetiredCodes(Choice, id="errors.resource-not-found-to-legacy"):
    """Does an implementation use the codes that this revision retired, -32002 and -32042, where an earlier one has
    them?"""

    BY_ERA = "by-era"
    NEW_CODE_ALWAYS = "new-code-always"


class UnsupportedDialect(Choice, id="schema.unsupported-dialect"):
    """What does a client do with a tool whose schema declares a dialect that it does not support?"""

    FAIL_ON_USE = "fail-on-use"
    EXCLUDE_TOOL = "exclude-tool"
    USE_WITHOUT_VALIDATION = "use-without-validation"


class ExternalRef(Choice, id="schema.external-ref"):
    """When is a schema refused that refers to a network address?"""

    LAZY = "lazy"
    EAGER = "eager"


class SchemaRootTowardsLegacy(Choice, id="tools.schema-root-towards-legacy"):
    """How does a dual-era server show a legacy client a tool whose output schema or structured result is not an object
    at the root?"""

    OMIT_STRUCTURE = "omit-structure"
    WRAP_IN_OBJECT = "wrap-in-object"
    ADD_OBJECT_TYPE = "add-object-type"


class StdioCorrelation(Choice, id="logging.stdio-correlation"):
    """To which request does a log notification on stdio belong when several are in flight?"""

    SEND_UNCORRELATED = "send-uncorrelated"
    SEND_ONLY_WHEN_UNAMBIGUOUS = "send-only-when-unambiguous"


class IconSourceRules(Choice, id="icons.source-rules"):
    """Which icon addresses does a client fetch?"""

    HTTPS_OR_DATA_SAME_ORIGIN = "https-or-data-same-origin"
    HTTPS_OR_DATA_TRUSTED_DOMAIN = "https-or-data-trusted-domain"
    HTTP_SAME_ORIGIN_TOO = "http-same-origin-too"


class IconsOfServerWithoutOrigin(Choice, id="icons.server-without-origin"):
    """Does a client fetch an icon from an HTTPS address for a server that has no origin, such as one on stdio?"""

    NOT_FETCHED = "not-fetched"
    ANY_HTTPS = "any-https"


class IconSources(Choice, id="icons.accepted-sources"):
    """Which of the icons that it may take does a client take?"""

    WEB_AND_DATA = "web-and-data"
    DATA_ALONE = "data-alone"
    WEB_ALONE = "web-alone"
    NONE = "none"


class IconRedirects(Choice, id="icons.redirects"):
    """Does a client follow a redirect of an icon that it may follow?"""

    FOLLOW_PERMITTED = "follow-permitted"
    FOLLOW_NONE = "follow-none"


class UnstatedIconType(Choice, id="icons.unstated-type"):
    """Does a client render an icon of an allowed type that nobody stated?"""

    BYTES_SUFFICE = "bytes-suffice"
    REFUSE = "refuse"
