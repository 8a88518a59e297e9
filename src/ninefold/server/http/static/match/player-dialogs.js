/** What can be done about the other player of a match: report them to the operator of the server, or block them. */

import { MESSAGE_LENGTH } from "../lib/api-constants.js";
import { describeError } from "../lib/api.js";
import { buttonRow, closeButton, closeDialog, confirmDialog, dialogTitle, openDialog } from "../lib/dialog.js";
import { announce, html, showNotice } from "../lib/dom.js";
import { loadKey } from "../lib/identity.js";
import { updateMatch } from "../lib/match-storage.js";
import { text } from "../lib/messages.js";
import { blockOpponent, reportPlayer } from "../lib/profile-api.js";

const REASONS = /** @type {const} */ (["name", "chat", "cheating", "other"]);

/** @param {string} match @param {string} token @param {string} player their name */
export function openReportDialog(match, token, player) {
  const reasons = REASONS.map((reason, index) =>
    html(
      "label",
      { class: "radio" },
      html("input", { type: "radio", name: "reason", value: reason, checked: index === 0 }),
      html("span", {}, text(`report_player.${reason}`)),
    ),
  );
  const notice = html("p", { class: "notice", hidden: true, role: "alert" });
  const form = html(
    "form",
    { class: "settings", method: "dialog" },
    dialogTitle(text("report_player.title", { player })),
    html("fieldset", {}, html("legend", {}, text("report_player.reason")), html("div", { class: "radios" }, reasons)),
    html("label", { for: "report-text" }, text("report_player.text")),
    html("textarea", { id: "report-text", name: "text", rows: 3, maxlength: MESSAGE_LENGTH }),
    notice,
    buttonRow(html("button", { type: "submit", class: "strong" }, text("report_player.send")), closeButton(text("button.cancel"))),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const reason = REASONS.find((one) => one === given.get("reason")) ?? "other";
    try {
      await reportPlayer(match, token, { reason, text: String(given.get("text") ?? "") });
      closeDialog();
      tell(text("report_player.done"));
    } catch (problem) {
      notice.hidden = false;
      notice.textContent = describeError(problem);
    }
  });
  openDialog(form);
}

/** @param {string} match @param {string} player their name @param {() => void} then */
export function askToBlock(match, player, then) {
  const block = async () => {
    try {
      await blockOpponent(loadKey() ?? "", match);
      updateMatch(match, { blocked: true });
      tell(text("block.done", { player }));
      then();
    } catch (problem) {
      tell(describeError(problem));
    }
  };
  confirmDialog(text("block.title", { player }), text("block.consequence"), text("action.block"), () => void block());
}

/** @param {string} sentence */
function tell(sentence) {
  showNotice(sentence);
  announce(sentence);
}
