/** Starts the page of a match that was opened by its address. */

import { fillTexts } from "../lib/dom.js";
import { installSettings } from "../lib/settings-dialog.js";
import { MatchPage } from "./match-page.js";

fillTexts();
installSettings();
new MatchPage(decodeURIComponent(location.pathname.split("/")[2] ?? ""));
