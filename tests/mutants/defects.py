"""Deliberate defects: each changes one place of the sources, and the named tests must notice it.

A defect that no test can notice without asserting a time or the memory used says why.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Defect:
    """One change to one file.

    Parameters
    ----------
    name : str
        What is wrong with the changed program.
    file : str
        The file below ``src``.
    old, new : str
        The text, which must occur once, and what takes its place.
    tests : str
        The tests to run, divided by blanks.
    survives : str, default=""
        Why no test notices it; empty if one must.
    """

    name: str
    file: str
    old: str
    new: str
    tests: str
    survives: str = ""

    @property
    def is_in_core(self) -> bool:
        return self.file.startswith("core/")


_KEEP_ROOT = "\n    pruning: str | Pruner | None = fresh(lambda: CostComplexity(keep_root=True))"

DEFECTS = [
    # ---------------------------------------------------------------- estimators and files
    Defect(
        "importances ignore the spread of features",
        "aslant/growth/importances.py",
        "size = np.append(np.abs(tree.coef_value), slope) * spread[column]",
        "size = np.append(np.abs(tree.coef_value), slope)",
        "tests/estimators/test_estimators.py",
    ),
    Defect(
        "features per test are a maximum, not a mean",
        "aslant/tree/tree.py",
        "return float(counts.mean()) if len(counts) else 0.0",
        "return float(counts.max()) if len(counts) else 0.0",
        "tests/tree/test_tree.py",
    ),
    Defect(
        "BLAS is not kept to one thread",
        "aslant/growth/grow.py",
        'return _blas().limit(limits=1, user_api="blas")',
        'return _blas().limit(limits=None, user_api="blas")',
        "tests/estimators/test_estimators.py",
        survives="results are the same; only time is lost, which no test asserts",
    ),
    Defect(
        "weights that are not integers stay as they are",
        "aslant/encoding/weights.py",
        "return own if are_cases(own) else _scaled(own, _n_rows(own))",
        "return own",
        "tests/encoding/test_weights.py",
    ),
    Defect(
        "the prior of smoothing counts as one row",
        "aslant/tree/smoothing.py",
        "return np.asarray((counts + m * prior) / (total + m))",
        "return np.asarray((counts + prior) / (total + 1.0))",
        "tests/tree/test_smoothing.py",
    ),
    Defect(
        "target encodings are learned from the row itself",
        "aslant/encoding/target_encoding.py",
        "shares = class_shares(code[~here], y[~here], weight[~here], shape)",
        "shares = class_shares(code, y, weight, shape)",
        "tests/encoding",
    ),
    Defect(
        "the checksum of a model file is not compared",
        "aslant/model_file/file.py",
        'if document.get("sha256") != _checksum_or_none(document):',
        'if "sha256" not in document:',
        "tests/model_file/test_model_file.py",
    ),
    # ---------------------------------------------------------------- systems
    Defect(
        "OC1 may prune its root split",
        "aslant/estimators/published/presets.py",
        "criterion: Criterion = OC1.default_criterion" + _KEEP_ROOT,
        "criterion: Criterion = OC1.default_criterion" + _KEEP_ROOT.replace("keep_root=True", ""),
        "tests/estimators/published/test_presets.py",
    ),
    Defect(
        "CART-LC may prune its root split",
        "aslant/estimators/published/presets.py",
        "criterion: Criterion = CARTLC.default_criterion" + _KEEP_ROOT,
        "criterion: Criterion = CARTLC.default_criterion"
        + _KEEP_ROOT.replace("keep_root=True", ""),
        "tests/estimators/published/test_presets.py",
    ),
    Defect(
        "LMDT holds out a third of the rows",
        "aslant/estimators/published/multivariate.py",
        "fresh(lambda: ReducedError(validation=0.1))",
        "fresh(ReducedError)",
        "tests/estimators/published/test_presets.py",
    ),
    Defect(
        "SADT cools ten times as fast in a hundredth of the steps",
        "aslant/search/sadt.py",
        "cooling: float = 0.999",
        "cooling: float = 0.9",
        "tests/estimators/published/test_presets.py",
    ),
    Defect(
        "Fisher's tree does not score categories",
        "aslant/estimators/published/presets.py",
        "return CrimCoords(Fisher.with_parameters_of(self))",
        "return Fisher.with_parameters_of(self)",
        "tests/estimators/published/test_presets.py",
    ),
    # ---------------------------------------------------------------- holding out and pruning
    Defect(
        "a share of rows that is a whole number loses a row by rounding",
        "aslant/encoding/sample.py",
        "due = np.floor(np.arange(len(self) + 1) * fraction + 1e-9)",
        "due = np.floor(np.arange(len(self) + 1) * fraction)",
        "tests/encoding/test_sample.py",
    ),
    Defect(
        "folds judge by rows that they have trained on",
        "aslant/encoding/sample.py",
        "yield self.take(fold_of_row != fold), self.take(fold_of_row == fold)",
        "yield self.take(fold_of_row >= 0), self.take(fold_of_row == fold)",
        "tests/encoding/test_sample.py",
    ),
    Defect(
        "the standard error forgets the number of rows",
        "aslant/prune/cost_complexity.py",
        "margin = self.se_rule * np.sqrt(variance / n_rows)",
        "margin = self.se_rule * np.sqrt(variance)",
        "tests/prune",
    ),
    Defect(
        "cross-validated trees are compared at the wrong price",
        "aslant/prune/cost_complexity.py",
        "typical = np.append(np.sqrt(main.alphas[:-1] * main.alphas[1:]), np.inf)",
        "typical = np.append(main.alphas[:-1], np.inf)",
        "tests/prune",
    ),
    Defect(
        "a branch that no held-out row reaches stays",
        "aslant/prune/reduced_error.py",
        "(errors[node] <= branch + margin or not reached[node]):",
        "errors[node] <= branch + margin:",
        "tests/prune",
    ),
    Defect(
        "C4.5's error limit lacks its continuity correction",
        "aslant/prune/error_based.py",
        "corrected = np.minimum(wrong + 0.5, rows)",
        "corrected = np.minimum(wrong, rows)",
        "tests/prune",
    ),
    # ---------------------------------------------------------------- comparing, numbers, forests
    Defect(
        "advice for oblique trees ignores the sign of the test",
        "aslant/comparison/verdict.py",
        "if test.p_value < LEVEL and test.difference > 0.0 and better > 0.0:",
        "if test.p_value < LEVEL and better > 0.0:",
        "tests/comparison/test_verdict.py",
    ),
    Defect(
        "advice against oblique trees ignores the sign of the test",
        "aslant/comparison/verdict.py",
        "if test.p_value < LEVEL and test.difference < 0.0 and better < 0.0:",
        "if test.p_value < LEVEL and better < 0.0:",
        "tests/comparison/test_verdict.py",
    ),
    Defect(
        "leave-one-out errors of a leaf forget its mean",
        "aslant/tree/linear_leaves.py",
        "share = share_of_mean[:, np.newaxis] + rotated**2 @ shrunk",
        "share = rotated**2 @ shrunk",
        "tests/estimators/regression",
    ),
    Defect(
        "auto does not see the log-loss",
        "aslant/estimators/auto/evaluation.py",
        "key: Evaluation(wrong / of_error + loss / of_loss,",
        "key: Evaluation(wrong / of_error,",
        "tests/estimators/auto/test_evaluation.py",
    ),
    Defect(
        "auto takes a constant though something informs more",
        "aslant/estimators/auto/choosing.py",
        "ranking = [] if winner in constant else [winner]",
        "ranking = [winner]",
        "tests/estimators/auto/test_choosing.py",
    ),
    Defect(
        "rounding moves gates",
        "aslant/refine/harden.py",
        "spare = (_LARGEST_CHANGE / steepness) ** 2 - variance if steepness > 0.0 else np.inf",
        "spare = np.inf",
        "tests/refine/test_harden.py",
    ),
    Defect(
        "missing values keep the fills of growth",
        "aslant/refine/joint.py",
        "tree = with_node_means(tree, sample)",
        "pass",
        "tests/estimators/auto/test_auto.py",
    ),
    Defect(
        "a linear leaf extrapolates",
        "aslant/refine/logit.py",
        'arrays["leaf_high"] = logits.max(axis=0)[np.newaxis]',
        "pass",
        "tests/refine/test_logit.py",
    ),
    Defect(
        "auto takes the smallest tree of all",
        "aslant/estimators/auto/candidates.py",
        "close = [one for one in candidates if one.loss <= limit]",
        "close = list(candidates)",
        "tests/estimators/auto/test_choosing.py",
    ),
    Defect(
        "functions of leaves read columns that the L1 penalty has removed",
        "aslant/refine/regression.py",
        "            allowed=allowed[nodes],\n",
        "",
        "tests/refine/test_regression.py",
    ),
    Defect(
        "a balanced forest balances nothing",
        "aslant/estimators/forest/classifier.py",
        "return self._wants_balanced_draws() and self.bootstrap",
        "return False",
        "tests/estimators/forest",
    ),
    # ---------------------------------------------------------------- the core
    Defect(
        "OC1 jumps once",
        "core/search/oc1.cpp",
        "failures < options_.jumps;",
        "failures < std::min(options_.jumps, 1);",
        "tests/search/test_oc1.py",
    ),
    Defect(
        "OC1 stagnates a move too early",
        "core/search/oc1.cpp",
        "1.0 - options_.stagnation_step * idle_moves_",
        "1.0 - options_.stagnation_step * (idle_moves_ + 1)",
        "tests/search/test_oc1.py",
    ),
    Defect(
        "CART-LC forgets the best combination",
        "core/search/cart_lc.cpp",
        "if (!best_.empty() && !options_.keep_last && !(score_ > best_score_)) return;",
        "",
        "tests/search/test_cart_lc.py",
    ),
    Defect(
        "C4.5's least branch has no cap of 25",
        "core/search/c45.cpp",
        "std::min(25.0, tenth)",
        "tenth",
        "tests/search/test_c45.py",
    ),
    Defect(
        "C4.5 compares gain ratios of all tests",
        "core/search/average_gain.cpp",
        "if (!test.is_useful() || test.gain < sum / count - 1e-5) continue;",
        "if (!test.is_useful()) continue;",
        "tests/search/test_c45.py",
    ),
    Defect(
        "SADT never accepts a worse plane",
        "core/search/sadt.cpp",
        "trial_score >= score || rng.uniform() < std::exp((trial_score - score) / temperature)",
        "trial_score >= score",
        "tests/search/test_sadt.py",
    ),
    Defect(
        "a node of just min_samples_split rows is a leaf",
        "core/growth/stopping_rules.cpp",
        "rows >= min_samples_split",
        "rows > min_samples_split",
        "tests/estimators/test_estimators.py",
    ),
    Defect(
        "min_impurity_decrease forgets the share of the rows",
        "core/growth/stopping_rules.cpp",
        "share * score + 1e-15",
        "score + 1e-15",
        "tests/estimators/test_estimators.py",
    ),
    Defect(
        "best-first growth goes by gain, not by gain times weight",
        "core/growth/grow.cpp",
        "frontier.push({child->node.weight * child->split.score, order++, child});",
        "frontier.push({child->split.score, order++, child});",
        "tests/estimators/test_estimators.py",
    ),
    Defect(
        "a sample without a test ends the branch",
        "core/search/on_sample.cpp",
        "if (!split) {  // the",
        "if (!split) return split;\n  if (!split) {  // the",
        "tests/search/test_on_sample.py",
    ),
    Defect(
        "balanced samples lose the weights of rows",
        "core/data/target.cpp",
        "weight[i] *= static_cast<double>(rows.size())",
        "weight[i] = static_cast<double>(rows.size())",
        "tests/estimators/forest",
    ),
    Defect(
        "HHCART takes tau for its square",
        "core/search/hhcart.cpp",
        "2.0 - 2.0 * std::abs(value) <= tau * tau",
        "2.0 - 2.0 * std::abs(value) <= tau",
        "tests/search/test_hhcart.py",
    ),
    Defect(
        "QUEST measures spread by analysis of variance of the values",
        "core/search/quest_variable.cpp",
        "return anova(node, distance.data());",
        "return anova(node, x);",
        "tests/search/test_quest.py",
    ),
    Defect(
        "pole pairs may take memory without limit",
        "core/search/pole_pair.cpp",
        "std::size_t{1} << 30",
        "std::size_t{1} << 40",
        "tests/search/test_pole_pair.py",
        survives="results are the same up to a gigabyte of poles, and no test takes more",
    ),
    Defect(
        "what a callback raises while the caller waits is lost",
        "core/support/parallel.hpp",
        "      stop(std::current_exception());\n      throw;",
        "",
        "tests/core/test_core_faults.py",
    ),
    Defect(
        "MML prices a sampled root as an inner node",
        "core/search/mml.cpp",
        """context.depth == 0);
  return message.split_worth_making(message.cut_again""",
        """false);
  return message.split_worth_making(message.cut_again""",
        "tests/core/test_core_faults.py",
    ),
    Defect(
        "scores of levels are those of the node above",
        "core/search/hhcart.cpp",
        "if (best && options_.depth_of_reflection >= 0 && context.depth >=",
        "if (best && -1 <=",
        "tests/project/test_found_by_fuzzing.py",
    ),
    Defect(
        "a correction by a level leaves the product with missing levels as it was",
        "core/learn/online.cpp",
        "    all.effects.push_back({missing, step * lack});\n",
        "",
        "tests/search/test_learners.py",
    ),
    Defect(
        "thermal training passes over rows that need a correction",
        "core/learn/thermal.cpp",
        "const double reach = beta_ - options_.epsilon",
        "const double reach = 0.9 * beta_ - options_.epsilon",
        "tests/search/test_learners.py",
    ),
    Defect(
        "a search that saw some columns leaves something to nodes that see others",
        "core/search/search.cpp",
        "  split.legacy.reset();\n",
        "",
        "tests/project/test_found_by_fuzzing.py",
    ),
    Defect(
        "a category without weight has shares of its own",
        "aslant/encoding/target_encoding.py",
        "if not typical > 0.0:",
        "if False:",
        "tests/project/test_found_by_fuzzing.py",
    ),
    # ---------------------------------------------------------------- memory, threads, boundaries
    Defect(
        "a node does not keep its rows alive",
        "core/bindings/boundary.hpp",
        "  table.owner = kept_alive(X);\n",
        "",
        "tests/growth/test_hostile_search.py",
    ),
    Defect(
        "a category of which some levels are left is taken as whole",
        "core/node/derived_columns.cpp",
        "if (std::all_of(first, first + group.n_levels, [](char c) { return c != 0; })) {",
        "if (std::any_of(first, first + group.n_levels, [](char c) { return c != 0; })) {",
        "tests/search/test_some_columns.py",
    ),
    Defect(
        "a child may weigh less than the rounding of its node",
        "core/criteria/child_limits.hpp",
        "kLeastShare = 0x1p-46",
        "kLeastShare = -1.0",
        "tests/core/test_best_threshold.py",
    ),
    Defect(
        "a criterion in Python is asked while the interpreter ends",
        "core/bindings/problem.cpp",
        "    const InterpreterLock lock;\n    std::vector<double> in0",
        "    const py::gil_scoped_acquire lock;\n    std::vector<double> in0",
        "tests/growth/test_interruption.py::test_leaving_while_threads_ask_a_criterion_written_in_python",
    ),
    Defect(
        "a fit inside a fit takes its scratch memory",
        "core/support/workspace.hpp",
        "outer_(current_) { current_ = this; }",
        "outer_(current_) {\n    if (current_ == nullptr) current_ = this;\n  }",
        "tests/growth/test_threads.py",
    ),
    Defect(
        "a mean of a column below the first is read",
        "core/bindings/pieces.cpp",
        "require(column >= 0 && column < piece.problem().features().columns().size(),",
        "require(column < piece.problem().features().columns().size(),",
        "tests/core/test_arguments.py",
    ),
    Defect(
        "level codes that were surveyed elsewhere are not checked",
        "core/data/features.cpp",
        "  check_codes();\n  if (global_) {",
        "  if (!global_) check_codes();\n  if (global_) {",
        "tests/core/test_arguments.py",
    ),
    Defect(
        "numbers at odd addresses are read in place",
        "core/bindings/boundary.hpp",
        "py::array(py::array_t<double, kAligned>::ensure(given))",
        "given",
        "tests/core/test_arguments.py",
    ),
    Defect(
        "a LAPACK with any integers will do",
        "core/bindings/module.cpp",
        "if (found != signature_of(function))",
        "if (found.empty())",
        "tests/core/test_core_faults.py",
    ),
    Defect(
        "a search along directions keeps the interpreter's lock",
        "core/bindings/problem.cpp",
        "    const WithoutInterpreterLock no_lock;\n    for (std::size_t begin = 0; begin + width",
        "    for (std::size_t begin = 0; begin + width",
        "tests/growth/test_threads.py",
    ),
    # ---------------------------------------------------------------- boosting
    Defect(
        "directions of boosting have no ridge",
        "core/boosting/direction.cpp",
        "(1.0 + kRidge) *",
        "1.0 *",
        "tests/estimators/boosting/test_directions.py",
    ),
    Defect(
        "rows near the threshold of a direction stay where the means of their bins are",
        "core/boosting/direction.cpp",
        "if (exact == static_cast<bool>(is_left[i])) continue;",
        "continue;",
        "tests/estimators/boosting/test_directions.py",
    ),
    Defect(
        "missing values are never child 0 in boosting",
        "core/boosting/feature_split.cpp",
        "if (feature.has_missing) scan_down",
        "if (false) scan_down",
        "tests/estimators/boosting/test_hist_gradient_boosting.py",
    ),
    Defect(
        "rare levels are ordered too in boosting",
        "core/boosting/feature_split.cpp",
        "constexpr double kLevelSupport = 10.0;",
        "constexpr double kLevelSupport = 1.0;",
        "tests/estimators/boosting/test_hist_gradient_boosting.py",
    ),
    Defect(
        "values below a monotonic split are not bounded",
        "core/boosting/grower.cpp",
        "(monotonic > 0 ? left : right).sums.bounds.high = middle;",
        "",
        "tests/estimators/boosting",
    ),
    Defect(
        "monotonic features are combined",
        "core/boosting/grower.cpp",
        "binned[j].in_directions && settings.monotonic[j] == 0",
        "binned[j].in_directions",
        "tests/estimators/boosting/test_boosting.py",
    ),
    Defect(
        "interaction constraints do not depend on the path",
        "core/boosting/grower.cpp",
        "left.groups = right.groups = groups_below(parent);",
        "left.groups = right.groups = parent.groups;",
        "tests/estimators/boosting/test_boosting.py",
    ),
    Defect(
        "the hessian of the gamma loss is 1",
        "core/boosting/loss.cpp",
        "weighted(1.0 - ratio, ratio, weight)",
        "weighted(1.0 - ratio, 1.0, weight)",
        "tests/estimators/boosting/test_losses.py",
    ),
    Defect(
        "leaves of quantiles are Newton steps",
        "core/boosting/boosting.cpp",
        "if (!loss_->has_newton_leaves())",
        "if (false)",
        "tests/estimators/boosting/test_hist_gradient_boosting.py",
    ),
    Defect(
        "boosting does not go back to the best round",
        "aslant/estimators/boosting/early_stopping.py",
        "return max(1, int(np.argmax(self.validation)))",
        "return None",
        "tests/estimators/boosting/test_boosting.py",
    ),
    Defect(
        "a warm start of boosting begins at the baseline",
        "aslant/estimators/boosting/base.py",
        "raw = self._core_raw(sample.X).T",
        "raw = np.repeat(baseline[:, None], len(sample), axis=1)",
        "tests/estimators/boosting/test_boosting.py",
    ),
    Defect(
        "a column that a wrapper left out cannot be read",
        "core/node/columns.cpp",
        "if (std::find(columns.begin(), columns.end(), j) == columns.end()) columns = {j};",
        "",
        "tests/project/test_found_by_fuzzing.py",
    ),
]
