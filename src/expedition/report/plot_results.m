% Draws a metric of results.mat against the fleet size: a panel for each terrain, a line for each case.
% Bars are 95 % confidence intervals; the larger a marker, the more missions succeeded.
% For another metric, set it first, as in:  metric = 'cost_m'; plot_results
here = fileparts(mfilename('fullpath'));
load(fullfile(here, 'results.mat'), 'results');
if ~exist('metric', 'var')
  metric = results.metrics{1};
end
number = find(strcmp(results.metrics, metric));
if isempty(number)
  error('no metric %s; there are: %s', metric, strjoin(results.metrics(:)', ', '));
end
values = results.(metric);
terrains = numel(results.terrains);
cases = numel(results.cases);
x = results.x(:);
shapes = 'os^dv><p';
colours = [0 114 178; 213 94 0; 0 158 115; 204 121 167; 86 180 233; 230 159 0; 122 81 149; 127 127 127] / 255;
most = max(results.missions(:));
columns = ceil(sqrt(terrains));
figure('Position', [100 100 1100 800]);
for p = 1:terrains
  subplot(ceil(terrains / columns), columns, p);
  hold on;
  lines = zeros(1, cases);
  for c = 1:cases
    centre = reshape(values.centre(p, c, :), [], 1);
    low = reshape(values.low(p, c, :), [], 1);
    high = reshape(values.high(p, c, :), [], 1);
    succeeded = reshape(results.succeeded(p, c, :), [], 1);
    colour = colours(mod(c - 1, 8) + 1, :);
    shape = shapes(mod(c - 1, 8) + 1);
    lines(c) = plot(x, centre, '-', 'Color', colour);
    for k = 1:numel(x)
      if isnan(centre(k))
        continue
      end
      if ~isnan(low(k))
        plot([x(k) x(k)], [low(k) high(k)], '-', 'Color', colour);
      end
      size_of_marker = 2 + 5 * succeeded(k) / most;
      plot(x(k), centre(k), shape, 'MarkerSize', size_of_marker, 'Color', colour, 'MarkerFaceColor', colour);
    end
  end
  title(results.terrains{p}, 'Interpreter', 'none');
  if p > terrains - columns
    xlabel(results.axis, 'Interpreter', 'none');
  end
  ylabel(results.labels{number});
  if p == 1 && cases > 1
    legend(lines, results.cases(:)', 'Interpreter', 'none', 'Location', 'best');
  end
  hold off;
end
