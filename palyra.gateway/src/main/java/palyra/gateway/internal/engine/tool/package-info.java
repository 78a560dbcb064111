/**
 * The steps of a run that concern tool calls: deciding, starting, recovering and attesting them.
 */
package palyra.gateway.internal.engine.tool;
