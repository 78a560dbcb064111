/**
 * Health, readiness and metrics over HTTP. Checks are Felix health checks, one class an aspect; the
 * servlets are thin; {@link palyra.health.internal.Doorkeeper} decides who gets which answer.
 */
package palyra.health.internal;
