// SPDX-License-Identifier: MIT
// What a program makes of ViennaCL's headers, against sums in double precision on the processor.
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/coordinate_matrix.hpp>
#include <viennacl/ell_matrix.hpp>
#include <viennacl/fft.hpp>
#include <viennacl/hyb_matrix.hpp>
#include <viennacl/linalg/bicgstab.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/linalg/gmres.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/lu.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/norm_inf.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/linalg/sum.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/sliced_ell_matrix.hpp>
#include <viennacl/vector.hpp>

#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace viennacl;
typedef std::vector<float> numbers;

static std::mt19937 generator(1);

static numbers random_numbers(size_t n)
{
	numbers made(n);

	for (float &v : made)
		v = std::uniform_real_distribution<float>(0.5, 1.5)(generator);
	return made;
}

static vector<float> put(const numbers &from)
{
	vector<float> made(from.size());

	copy(from, made);
	return made;
}

/* The relative error of the largest difference. */
static void like(const std::string &name, const vector<float> &got, const std::vector<double> &want,
	double tolerance)
{
	numbers all(want.size(), NAN);
	double error = 0, scale = 0;

	copy(got.begin(), got.begin() + want.size(), all.begin());
	for (size_t i = 0; i < want.size(); i++) {
		error = all[i] == all[i] ? std::fmax(error, std::fabs(all[i] - want[i])) : INFINITY;
		scale = std::fmax(scale, std::fabs(want[i]));
	}
	if (error <= tolerance * scale)
		std::printf("right %s\n", name.c_str());
	else
		std::printf("wrong %s: error %g\n", name.c_str(), error / scale);
	std::fflush(stdout);
}

static void vectors()
{
	const size_t n = 20011;
	const numbers a = random_numbers(n), b = random_numbers(n);
	const vector<float> da = put(a), db = put(b);
	std::vector<double> sum(n), power(n);
	double inner = 0, norm = 0, most = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		sum[i] = 2 * a[i] + b[i] / 3.0;
		power[i] = std::exp((double)a[i]);
		inner += (double)a[i] * b[i];
		norm += (double)a[i] * a[i];
		most = std::fmax(most, a[i]);
		all += a[i];
	}
	like("sum of vectors", da * 2.0f + db / 3.0f, sum, 1e-6);
	like("elements", linalg::element_exp(da), power, 1e-6);
	like("reductions",
		put({ (float)linalg::inner_prod(da, db), (float)linalg::norm_2(da),
			(float)linalg::norm_inf(da), (float)linalg::sum(da) }),
		{ inner, std::sqrt(norm), most, all }, 1e-5);
}

template <typename A, typename B> static void products(const std::string &name)
{
	const size_t n = 203, m = 150, k = 97;
	std::vector<numbers> a, b;
	const numbers x = random_numbers(k);
	std::vector<double> want(n * m), image(n);
	matrix<float, A> da(n, k);
	matrix<float, B> db(k, m), dc(n, m);
	numbers got(dc.internal_size()), rows(n * m);

	for (size_t i = 0; i < n; i++)
		a.push_back(random_numbers(k));
	for (size_t i = 0; i < k; i++)
		b.push_back(random_numbers(m));
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < k; l++) {
			image[i] += (double)a[i][l] * x[l];
			for (size_t j = 0; j < m; j++)
				want[i * m + j] += (double)a[i][l] * b[l][j];
		}
	copy(a, da);
	copy(b, db);
	dc = linalg::prod(da, db);
	std::vector<numbers> c(n, numbers(m));
	copy(dc, c);
	for (size_t i = 0; i < n * m; i++)
		rows[i] = c[i / m][i % m];
	like("matrices, " + name, put(rows), want, 1e-5);
	like("matrix and vector, " + name, linalg::prod(da, put(x)), image, 1e-5);
}

static void factors()
{
	const size_t n = 64;
	const numbers x = random_numbers(n);
	std::vector<numbers> a;
	numbers image(n);
	matrix<float> da(n, n);

	for (size_t i = 0; i < n; i++) {
		a.push_back(random_numbers(n));
		a[i][i] += n;
		for (size_t j = 0; j < n; j++)
			image[i] += a[i][j] * x[j];
	}
	copy(a, da);
	vector<float> solution = put(image);
	linalg::lu_factorize(da);
	linalg::lu_substitute(da, solution);
	like("LU", solution, std::vector<double>(x.begin(), x.end()), 1e-4);
}

template <typename S> static void sparse(const std::string &name)
{
	const int n = 500;
	std::vector<std::map<unsigned, float>> a(n);
	const numbers x = random_numbers(n), offs = random_numbers(3 * n);
	const std::vector<double> want(x.begin(), x.end());
	std::vector<double> image(n);
	S da;

	for (int i = 0; i < n; i++) {
		a[i][i] = 8;
		for (int k = 0; k < 3; k++)
			if (const int j = i + (k == 0 ? 1 : k == 1 ? 7 : 40); j < n)
				a[i][j] = a[j][i] = -offs[3 * i + k];
	}
	for (int i = 0; i < n; i++)
		for (const auto &element : a[i])
			image[i] += (double)element.second * x[element.first];
	copy(a, da);
	like("product, " + name, linalg::prod(da, put(x)), image, 1e-5);
	const vector<float> right = put(numbers(image.begin(), image.end()));
	like("conjugate gradients, " + name, linalg::solve(da, right, linalg::cg_tag(1e-6, 300)),
		want, 1e-3);
	like("BiCGStab, " + name, linalg::solve(da, right, linalg::bicgstab_tag(1e-6, 300)), want,
		1e-3);
	like("GMRES, " + name, linalg::solve(da, right, linalg::gmres_tag(1e-6, 300, 20)), want,
		1e-3);
}

static void transform()
{
	const size_t n = 256;
	const numbers f = random_numbers(2 * n);
	std::vector<double> want(2 * n);
	vector<float> from = put(f), to(2 * n);

	for (size_t u = 0; u < n; u++)
		for (size_t t = 0; t < n; t++) {
			const double angle = -2 * M_PI * (double)(u * t % n) / n;
			want[2 * u] += f[2 * t] * std::cos(angle) - f[2 * t + 1] * std::sin(angle);
			want[2 * u + 1] +=
				f[2 * t] * std::sin(angle) + f[2 * t + 1] * std::cos(angle);
		}
	viennacl::fft(from, to);
	like("FFT", to, want, 1e-5);
}

int main()
{
	vectors();
	products<row_major, row_major>("by rows");
	products<column_major, row_major>("by columns and rows");
	products<column_major, column_major>("by columns");
	factors();
	sparse<compressed_matrix<float>>("compressed");
	sparse<coordinate_matrix<float>>("coordinates");
	sparse<ell_matrix<float>>("ELL");
	sparse<sliced_ell_matrix<float>>("sliced ELL");
	sparse<hyb_matrix<float>>("hybrid");
	transform();
	return 0;
}
