/** Starts the page of a match that was opened by its address. */

import { matchAt } from "../lib/site.js";
import { startPage } from "../lib/start-page.js";
import { MatchPage } from "./match-page.js";

startPage();
new MatchPage(matchAt(location));
